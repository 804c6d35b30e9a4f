// Converts the schemas of an OpenAPI document (3.0 or 3.1) to JSON Schema 2020-12 for ajv.
import { isObject } from '../../payments-api/answers/values.js';
import { itemsOf, members, resolved, textOf } from './json.js';

type Node = Record<string, unknown>;

const IN_PLACE = ['allOf', 'anyOf', 'oneOf'];
const NOT_SCHEMAS = new Set(['example', 'examples', 'description']);
/** Ruby's anchors, which some providers use. */
const RUBY_ANCHORS: readonly [RegExp, string][] = [
  [/\\A/g, '^'],
  [/\\[zZ]/g, '$'],
];

/**
 * The document with all schemas converted. Everything else stays in place, so that JSON pointers remain valid.
 * @param closed refuses properties that a schema does not name, like a provider with closed request schemas.
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

/** Drops documentation-only members, and converts the pattern to JavaScript. */
function renamed({ nullable, example, examples, pattern, ...schema }: Node): Node {
  const text = textOf(pattern);
  if (text === undefined) return schema;
  return { ...schema, pattern: RUBY_ANCHORS.reduce((all, [ruby, ours]) => all.replace(ruby, ours), text) };
}

/** Judges only the variant that the discriminator selects, so that errors of other variants do not hide the real one. */
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

/** A mapping has text keys, although some discriminators are booleans. */
const valuesOf = (name: string): unknown[] =>
  name === 'true' || name === 'false' ? [name, name === 'true'] : [name];

/** True if the object names any property. An object that names none accepts all. */
function namesProperties(document: unknown, schema: unknown, above = new Set<unknown>()): boolean {
  const whole = resolved(document, schema);
  if (!isObject(whole) || above.has(whole)) return false;
  above.add(whole);
  if ('properties' in whole) return true;
  return IN_PLACE.some((name) => itemsOf(whole[name]).some((one) => namesProperties(document, one, above)));
}
