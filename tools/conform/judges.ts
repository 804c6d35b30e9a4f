// Judges a body by a schema of an OpenAPI file. Each fault has a place, an expectation and a finding.
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { withJsonSchemas } from './json-schema.js';
import { at, brief, pointerOf, resolved, stepsOf, textOf } from './json.js';
import type { ErrorObject } from 'ajv';

export interface Fault {
  /** JSON pointer into the body; `*` stands for any list index. */
  pointer: string;
  expected: string;
  met: string;
}

export type Judge = (body: unknown) => Fault[];

export interface Judges {
  /** Undefined if the document has no such place. */
  body: (path: readonly string[]) => Judge | undefined;
  /** Like `body`, but an unnamed property is a fault. */
  request: (path: readonly string[]) => Judge | undefined;
}

export function createJudges({ name, document }: { name: string; document: unknown }): Judges {
  const by = (closed: boolean): Judges['body'] => {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateSchema: false,
      verbose: true,
      logger: false,
    });
    addFormats.default(ajv);
    const root = `https://files.invalid/${encodeURIComponent(name)}`;
    ajv.addSchema(withJsonSchemas(document, closed), root);
    return (path) => {
      const found = place(document, path);
      if (found === undefined) return undefined;
      const check = ajv.compile({ $ref: `${root}#${encodeURI(pointerOf(found))}` });
      return (body) => (check(body) ? [] : faultsIn(check.errors ?? []));
    };
  };
  return { body: by(false), request: by(true) };
}

/** The path with its references followed; undefined if it does not exist. */
function place(document: unknown, path: readonly string[]): string[] | undefined {
  let here: string[] = [];
  for (const step of path) {
    here = [...here, step];
    const ref = textOf(at(document, [...here, '$ref']));
    if (ref?.startsWith('#/') && resolved(document, { $ref: ref }) !== undefined) here = stepsOf(ref);
  }
  return at(document, here) === undefined ? undefined : here;
}

/** The useful faults: without keywords that only select, and without each alternative of a failed union. */
function faultsIn(errors: readonly ErrorObject[]): Fault[] {
  const within = (inner: ErrorObject, outer: ErrorObject): boolean =>
    inner.instancePath === outer.instancePath || inner.instancePath.startsWith(`${outer.instancePath}/`);
  const isAlternative = (error: ErrorObject, index: number): boolean =>
    errors.slice(index + 1).some((union) => /^(any|one)Of$/.test(union.keyword) && within(error, union));
  const clear = errors.filter((error, index) => error.keyword !== 'if' && !isAlternative(error, index));
  // If a part fails, ajv considers none of its properties as named.
  const others = clear.filter(({ keyword }) => keyword !== 'unevaluatedProperties');
  return clear
    .filter((error) => others.includes(error) || !others.some((other) => within(other, error)))
    .map(faultOf);
}

function faultOf({ keyword, instancePath, params, message = keyword, data }: ErrorObject): Fault {
  const extra: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  const missing: unknown = params['missingProperty'];
  const allowed: unknown = params['allowedValues'];
  const name = textOf(extra) ?? textOf(missing);
  const pointer = (instancePath + (name === undefined ? '' : pointerOf([name]))).replaceAll(
    /\/\d+(?=\/|$)/g,
    '/*',
  );
  if (extra !== undefined)
    return { pointer, expected: 'no such property', met: brief(at(data, [textOf(extra) ?? ''])) };
  if (missing !== undefined) return { pointer, expected: 'a required property', met: 'nothing' };
  const expected = allowed === undefined ? message : `one of ${brief(allowed)}`;
  return { pointer, expected, met: brief(data) };
}
