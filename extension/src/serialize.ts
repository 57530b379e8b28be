// A document as HTML, as the browser would write it (outerHTML), made in small pieces so that the
// page stays responsive: whoever reads the generator stops when its time is up and goes on later.
// Shadow trees stand where the browser shows them, slots filled; all else is as outerHTML has it.
//
// A page can name form controls `firstChild` or images `body`, and then forms and documents answer
// with these elements. So every property is read by the getter of its prototype, which no page reaches.

/** Tags without end tags. */
const VOID = new Set(('area base basefont bgsound br col embed frame hr img input keygen link meta param source ' +
  'track wbr').split(' '));
/** Elements whose text is written as it is. */
const RAW = new Set('style script xmp iframe noembed noframes plaintext noscript'.split(' '));
/** Elements that may have a shadow tree, besides those with a hyphen in their names. */
const HOSTS = new Set(('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section ' +
  'span').split(' '));
/** A piece of HTML has about this many characters. */
const PIECE = 1 << 16;
/** Between two looks at the clock. */
const NODES_A_STEP = 100;

type Getter<O, T> = (of: O) => T;
function getter<O extends object, T>(prototype: O, name: string): Getter<O, T> {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (get === undefined) throw new Error(`no ${name}`);
  return (of) => get.call(of) as T;
}

const nodeType = getter<Node, number>(Node.prototype, 'nodeType');
const nodeName = getter<Node, string>(Node.prototype, 'nodeName');
const firstChild = getter<Node, Node | null>(Node.prototype, 'firstChild');
const parentNode = getter<Node, Node | null>(Node.prototype, 'parentNode');
const nextSibling = getter<Node, Node | null>(Node.prototype, 'nextSibling');
const localName = getter<Element, string>(Element.prototype, 'localName');
const openShadow = getter<Element, ShadowRoot | null>(Element.prototype, 'shadowRoot');
const dataLength = getter<CharacterData, number>(CharacterData.prototype, 'length');
const templateContent = getter<HTMLTemplateElement, DocumentFragment>(HTMLTemplateElement.prototype, 'content');
const substring = CharacterData.prototype.substringData;
const assignedNodes = HTMLSlotElement.prototype.assignedNodes;
// Not `attributes`: it makes an object of each.
const hasAttributes = Element.prototype.hasAttributes;
const namesOf = Element.prototype.getAttributeNames;
const attributeOf = Element.prototype.getAttribute;

/** The shadow tree of an element, closed ones too where the browser lets extensions see them. */
function shadowOf(element: Element, name: string): ShadowRoot | null {
  if (!HOSTS.has(name) && !name.includes('-')) return null;
  const seeing = (globalThis as { chrome?: { dom?: { openOrClosedShadowRoot?(of: Element): ShadowRoot | null } } }).chrome?.dom;
  if (seeing?.openOrClosedShadowRoot !== undefined && element instanceof HTMLElement) {
    return seeing.openOrClosedShadowRoot(element);
  }
  return (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot ?? openShadow(element);
}

/** Newer browsers write `<` and `>` of attributes as references. */
const escapesTags = (() => {
  const probe = document.createElementNS('http://www.w3.org/1999/xhtml', 'a');
  probe.setAttribute('a', '<');
  return probe.outerHTML.includes('&lt;');
})();

function escapeText(text: string): string {
  if (!/[&\u00a0<>]/.test(text)) return text;
  return text.replace(/[&\u00a0<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&nbsp;'));
}

function escapeValue(text: string): string {
  if (!/[&\u00a0"<>]/.test(text)) return text;
  return text.replace(/[&\u00a0"<>]/g, (c) =>
    c === '&' ? '&amp;' : c === '"' ? '&quot;' : c === '\u00a0' ? '&nbsp;' : !escapesTags ? c : c === '<' ? '&lt;' : '&gt;');
}

/** What is met beside the HTML. */
export interface Seen {
  nodes: number;
  /** Set by the reader when the page's scripts may have run since the last piece. */
  resumed: boolean;
  /** How often the place that had been reached was moved or removed meanwhile, so that parts were missed. */
  lost: number;
  passwords: number;
  shadows: ShadowRoot[];
}

interface Open {
  /** The child before the next one; undefined before the first. */
  before: Node | undefined;
  parent: Node;
  /** The children, where these are no chain of siblings. */
  list: Node[] | undefined;
  at: number;
  raw: boolean;
  end: string;
}

/** The HTML of `root` and all in it, in pieces; '' where only the clock should be looked at. `seen` counts along. */
export function* serialize(root: Node, seen: Seen): Generator<string, void> {
  let piece = '';
  let steps = 0;
  const stack: Open[] = [];
  const enter = (parent: Node, raw: boolean, end: string, list?: Node[]) =>
    stack.push({ before: undefined, parent, list, at: 0, raw, end });
  enter(root, false, '');
  while (stack.length > 0) {
    if (seen.resumed) {
      seen.resumed = false;
      if (stack.some((o) => o.list === undefined && o.before !== undefined && parentNode(o.before) !== o.parent)) seen.lost++;
    }
    const open = stack[stack.length - 1]!;
    let node: Node | null | undefined;
    if (open.list !== undefined) node = open.list[open.at++];
    else node = open.before === undefined ? firstChild(open.parent) : nextSibling(open.before);
    if (node === null || node === undefined) {
      piece += open.end;
      stack.pop();
    } else {
      open.before = node;
      seen.nodes++;
      switch (nodeType(node)) {
        case Node.ELEMENT_NODE: {
          const element = node as Element;
          const name = localName(element);
          piece += '<' + name;
          for (const attribute of hasAttributes.call(element) ? namesOf.call(element) : []) {
            const value = attributeOf.call(element, attribute) ?? '';
            // One of more than a piece, such as a picture in the page, says nothing about its text.
            if (value.length > PIECE) continue;
            piece += ` ${attribute}="${escapeValue(value)}"`;
            if (piece.length >= PIECE) {
              yield piece;
              piece = '';
            }
          }
          piece += '>';
          if (VOID.has(name)) {
            if (name === 'input' && attributeOf.call(element, 'type')?.toLowerCase() === 'password') seen.passwords++;
            break;
          }
          const end = `</${name}>`;
          const shadow = shadowOf(element, name);
          if (shadow !== null) {
            seen.shadows.push(shadow);
            enter(shadow, false, end);
          } else if (name === 'slot' && element instanceof HTMLSlotElement) {
            const assigned = assignedNodes.call(element);
            enter(element, false, end, assigned.length > 0 ? assigned : undefined);
          } else if (name === 'template' && element instanceof HTMLTemplateElement) {
            enter(templateContent(element), false, end);
          } else {
            enter(element, RAW.has(name), end);
          }
          break;
        }
        case Node.TEXT_NODE:
        case Node.CDATA_SECTION_NODE: {
          const text = node as CharacterData;
          for (let from = 0, length = dataLength(text); from < length; ) {
            let part = substring.call(text, from, PIECE);
            // A character of two units stays whole.
            if (part.length === PIECE && (part.charCodeAt(PIECE - 1) & 0xfc00) === 0xd800) part = part.slice(0, -1);
            if (part.length === 0) break;
            from += part.length;
            piece += open.raw ? part : escapeText(part);
            if (piece.length >= PIECE) {
              yield piece;
              piece = '';
            }
          }
          break;
        }
        case Node.COMMENT_NODE: {
          const text = node as CharacterData;
          if (dataLength(text) <= PIECE) piece += `<!--${substring.call(text, 0, PIECE)}-->`;
          break;
        }
        case Node.DOCUMENT_TYPE_NODE:
          piece += `<!DOCTYPE ${nodeName(node)}>`;
          break;
        default:
          break;
      }
    }
    if (piece.length >= PIECE || ++steps % NODES_A_STEP === 0) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}
