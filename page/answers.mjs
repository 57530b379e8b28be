// The service's requests and answers as types, from its description of itself.
//
//   node answers.mjs openapi.json >src/answers.ts    # tests/page/run.py asks the program for openapi.json
//
// Fields whose type depends on the documents (ids, kept fields) are unknown. What a field means is in openapi.json.

import { readFileSync } from 'node:fs';

const json_types = ['array', 'boolean', 'null', 'number', 'object', 'string'];

function object({ properties, required = [], additionalProperties }, margin) {
  const names = Object.entries(properties ?? {});
  if (names.length === 0) return typeof additionalProperties === 'object' ? `Record<string, ${typeOf(additionalProperties, margin)}>` : 'Record<string, unknown>';
  const inside = `${margin}  `;
  return `{\n${names.map(([name, schema]) => `${inside}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inside)};\n`).join('')}${margin}}`;
}

function ofType(type, schema, margin) {
  switch (type) {
    case 'object': return object(schema, margin);
    case 'array': {
      if (schema.prefixItems) return `[${schema.prefixItems.map((each) => typeOf(each, margin)).join(', ')}]`;
      const element = typeOf(schema.items ?? {}, margin);
      return partsOf(schema.items ?? {}, margin).length > 1 ? `(${element})[]` : `${element}[]`;
    }
    case 'integer':
    case 'number': return 'number';
    case 'boolean':
    case 'string':
    case 'null': return type;
    default: throw new Error(`a type of JSON schema without one here: ${JSON.stringify(schema)}`);
  }
}

/** Every schema that schema.cc makes; another one is an error. */
function parts(schema, margin) {
  if (schema.$ref) return [schema.$ref.replace('#/components/schemas/', '')];
  if (schema.anyOf) return schema.anyOf.flatMap((each) => parts(each, margin));
  if (schema.enum) return schema.enum.map((value) => (value === null ? 'null' : `'${value}'`));
  if (schema.type === undefined) return ['unknown'];
  const types = [schema.type].flat();
  return json_types.every((type) => types.includes(type)) ? ['unknown'] : types.map((type) => ofType(type, schema, margin));
}

function partsOf(schema, margin) {
  const all = [...new Set(parts(schema, margin))];
  return all.includes('unknown') ? ['unknown'] : all;
}

const typeOf = (schema, margin) => partsOf(schema, margin).join(' | ');

function requestOf({ parameters, requestBody }, margin) {
  if (requestBody) return typeOf(requestBody.content['application/json'].schema, margin);
  const asked = parameters.filter((each) => each.in === 'query');
  return asked.length === 0 ? 'Record<string, never>' : object({ properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])), required: asked.filter((each) => each.required).map((each) => each.name) }, margin);
}

export function answersOf(openapi) {
  const routes = Object.entries(openapi.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })))
    .filter(({ operation }) => operation.responses['200'].content['application/json']);
  const shared = Object.entries(openapi.components?.schemas ?? {}).map(([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n\n`);
  const table = (name, help, type) => `/** ${help} */\nexport interface ${name} {\n${routes.map((route) => `  '${route.name}': ${type(route.operation)};\n`).join('')}}\n`;
  return `// Written by page/answers.mjs from the program's openapi.json. \`make page\` writes it anew.\n\n${shared.join('')}${
    table('Requests', 'The body of a POST, the parameters of a GET.', (operation) => requestOf(operation, '  '))}\n${
    table('Answers', 'The JSON of status 200.', (operation) => typeOf(operation.responses['200'].content['application/json'].schema, '  '))}`;
}

if (process.argv[1]?.endsWith('answers.mjs')) process.stdout.write(answersOf(JSON.parse(readFileSync(process.argv[2], 'utf8'))));
