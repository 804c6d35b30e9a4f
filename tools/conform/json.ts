// Reads JSON of unknown shape by JSON pointers (RFC 6901).
import { isObject } from '../../payments-api/answers/values.js';

/** @returns undefined if a step of the path does not exist. */
export function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const step of path) {
    if (Array.isArray(here)) here = here[Number(step)];
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** The members of an object; empty for other values. */
export const members = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : [];

export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const pointerOf = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Follows `#/…` references within the document, however many there are. */
export function resolved(document: unknown, node: unknown): unknown {
  const ref = isObject(node) ? textOf(node['$ref']) : undefined;
  return ref?.startsWith('#/') ? resolved(document, at(document, stepsOf(ref))) : node;
}

/** One line, cut to the maximum length. */
export function brief(value: unknown, max = 160): string {
  const written = value === undefined ? 'nothing' : JSON.stringify(value);
  return written.length > max ? `${written.slice(0, max)}…` : written;
}
