//! Names of fields to leaf columns. "a.b" is a member of a struct, "a[]" the elements of a list; the layers that lists
//! have in a file (`a.list.element`, `a.bag.array_element`, a repeated field) are no part of a name.
use parquet::basic::{ConvertedType, LogicalType};
use parquet::schema::types::{SchemaDescriptor, Type};

/// A step of a name: a member, and how many lists within lists are its value.
pub struct Step {
    pub name: String,
    pub lists: usize,
}

pub enum Found {
    Leaf(usize),
    Missing,
    /// Words after the name: "is a list; ...".
    Other(String),
}

fn is_list(node: &Type) -> bool {
    let info = node.get_basic_info();
    info.logical_type_ref() == Some(&LogicalType::List)
        || info.converted_type() == ConvertedType::LIST
}

fn is_repeated(node: &Type) -> bool {
    let info = node.get_basic_info();
    info.has_repetition() && info.repetition() == parquet::basic::Repetition::REPEATED
}

/// The element of a list, by the rules of the format for old files; None if `node` is none.
fn element<'a>(node: &'a Type, path: &mut Vec<String>) -> Option<&'a Type> {
    if !node.is_group() || !is_list(node) || node.get_fields().len() != 1 {
        return None;
    }
    let repeated = &node.get_fields()[0];
    if !is_repeated(repeated) {
        return None;
    }
    path.push(repeated.name().to_string());
    let itself = !repeated.is_group()
        || repeated.get_fields().len() != 1
        || repeated.name() == "array"
        || repeated.name() == format!("{}_tuple", node.name());
    if itself {
        return Some(repeated);
    }
    let element = &repeated.get_fields()[0];
    path.push(element.name().to_string());
    Some(element)
}

fn member<'a>(node: &'a Type, name: &str) -> Option<&'a Type> {
    if !node.is_group() {
        return None;
    }
    node.get_fields()
        .iter()
        .find(|field| field.name() == name)
        .map(|field| field.as_ref())
}

/// `any`: a list stands for its elements, too.
pub fn find(schema: &SchemaDescriptor, steps: &[Step], shown: &str, any: bool) -> Found {
    let mut path = vec![];
    let mut node = schema.root_schema();
    for step in steps {
        let Some(next) = member(node, &step.name) else {
            return Found::Missing;
        };
        node = next;
        path.push(step.name.clone());
        let mut repeated = is_repeated(node);
        for _ in 0..step.lists {
            if repeated {
                repeated = false; // A repeated field is the list of what it holds.
                continue;
            }
            let Some(inner) = element(node, &mut path) else {
                return Found::Other("is no list".into());
            };
            node = inner;
        }
        if any {
            while let Some(inner) = element(node, &mut path) {
                node = inner;
            }
            continue;
        }
        if repeated || (node.is_group() && is_list(node)) {
            return Found::Other(format!(
                "is a list; its elements are \"{shown}[]\", and their fields \"{shown}[].NAME\""
            ));
        }
    }
    if node.is_group() {
        let names: Vec<&str> = node
            .get_fields()
            .iter()
            .take(12)
            .map(|field| field.name())
            .collect();
        return Found::Other(format!(
            "is a group of the columns {}; name one: \"{shown}.{}\"",
            names.join(", "),
            names.first().unwrap_or(&"NAME")
        ));
    }
    match schema
        .columns()
        .iter()
        .position(|column| column.path().parts() == path)
    {
        Some(leaf) => Found::Leaf(leaf),
        None => Found::Missing,
    }
}

/// The names of the first columns, for messages.
pub fn names(schema: &SchemaDescriptor) -> String {
    let fields = schema.root_schema().get_fields();
    let mut out: Vec<String> = fields
        .iter()
        .take(12)
        .map(|field| field.name().chars().take(40).collect())
        .collect();
    if fields.len() > out.len() {
        out.push(format!("and {} more", fields.len() - out.len()));
    }
    out.join(", ")
}
