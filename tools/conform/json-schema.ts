// The schemas of an OpenAPI document (3.0 or 3.1) as JSON Schema 2020-12, which ajv understands.
import { isObject } from '../../payments-api/answers/values.js';
import { itemsOf, members, resolved, textOf } from './json.js';

type Node = Record<string, unknown>;

const IN_PLACE = ['allOf', 'anyOf', 'oneOf'];
const NOT_SCHEMAS = new Set(['example', 'examples', 'description']);
/** Ruby's anchors, which some providers write. */
const RUBY_ANCHORS: readonly [RegExp, string][] = [
  [/\\A/g, '^'],
  [/\\[zZ]/g, '$'],
];

/**
 * The document with every schema in it converted; all else stays in its place, so that JSON pointers still fit.
 * @param closed also refuses properties that a schema does not name, as a provider does whose request schemas are closed.
 */
export function withJsonSchemas(document: unknown, closed: boolean): Node {
  const convert = (schema: unknown, isWhole: boolean): unknown => {
    if (!isObject(schema)) return schema;
    const inner = unionByDiscriminator(renamed(schema));
    const converted = Object.fromEntries(
      Object.entries(inner).map(([name, value]) => [name, member(name, value)]),
    );
    const shuts =
      closed && isWhole && !('additionalProperties' in schema) && namesProperties(document, schema);
    const result = shuts ? { ...converted, unevaluatedProperties: false } : converted;
    return schema['nullable'] === true ? { if: { type: 'null' }, else: result } : result;
  };
  const member = (name: string, value: unknown): unknown => {
    if (name === 'properties') return mapped(value, (schema) => convert(schema, true));
    if (IN_PLACE.includes(name)) return itemsOf(value).map((schema) => convert(schema, false));
    if (name === 'items' || name === 'additionalProperties') return convert(value, true);
    return value;
  };
  const walk = (node: unknown, name: string): unknown => {
    if (Array.isArray(node)) return node.map((item) => walk(item, ''));
    if (name === 'schema') return convert(node, true);
    if (name === 'schemas') return mapped(node, (schema) => convert(schema, false));
    return mapped(node, walk);
  };
  return Object.fromEntries(members(document).map(([name, node]) => [name, walk(node, name)]));
}

function mapped(node: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([name, value]) => !NOT_SCHEMAS.has(name) || isObject(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, change(value, name)]));
}

/** Without what only documents, and with a pattern that JavaScript reads. */
function renamed({ nullable, example, examples, pattern, ...schema }: Node): Node {
  const text = textOf(pattern);
  if (text === undefined) return schema;
  return { ...schema, pattern: RUBY_ANCHORS.reduce((all, [ruby, ours]) => all.replace(ruby, ours), text) };
}

/** Judges only the variant that the discriminator names, so that errors of the others do not hide the real one. */
function unionByDiscriminator({ discriminator, anyOf, oneOf, ...schema }: Node): Node {
  const property = isObject(discriminator) ? textOf(discriminator['propertyName']) : undefined;
  const variants = isObject(discriminator) ? members(discriminator['mapping']) : [];
  const union = { ...(anyOf === undefined ? {} : { anyOf }), ...(oneOf === undefined ? {} : { oneOf }) };
  if (property === undefined || variants.length === 0) return { ...schema, ...union };
  const chosen = variants.map(([name, ref]) => ({
    if: { properties: { [property]: { enum: valuesOf(name) } }, required: [property] },
    then: { $ref: ref },
  }));
  const named = {
    properties: { [property]: { enum: variants.flatMap(([name]) => valuesOf(name)) } },
    required: [property],
  };
  return { ...schema, allOf: [...itemsOf(schema['allOf']), named, ...chosen] };
}

/** A mapping is written with texts, though some discriminators are booleans. */
const valuesOf = (name: string): unknown[] =>
  name === 'true' || name === 'false' ? [name, name === 'true'] : [name];

/** Whether the object names any of its properties: one that names none takes all. */
function namesProperties(document: unknown, schema: unknown, above = new Set<unknown>()): boolean {
  const whole = resolved(document, schema);
  if (!isObject(whole) || above.has(whole)) return false;
  above.add(whole);
  if ('properties' in whole) return true;
  return IN_PLACE.some((name) => itemsOf(whole[name]).some((one) => namesProperties(document, one, above)));
}
