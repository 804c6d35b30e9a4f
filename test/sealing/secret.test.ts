import { expect, test } from 'vitest';
import { format, inspect } from 'node:util';
import { secretOf, type Secret } from '../../sealing/secret.js';

const SECRET = 'whsec-very-secret';

test('a secret is revealed on request', () => {
  expect(secretOf(SECRET).reveal()).toBe(SECRET);
});

test.each<[string, (box: Secret) => string]>([
  ['JSON', (box) => JSON.stringify({ box })],
  ['a template', (box) => `${String(box)}`],
  ['inspect', (box) => inspect(box)],
  ['inspect without custom inspection', (box) => inspect(box, { customInspect: false, showHidden: true })],
  ['inspect at depth', (box) => inspect({ a: { b: { box } } }, { depth: null, getters: true })],
  ['format', (box) => format('%s %o %O %j %d', box, box, box, box, box)],
  ['its properties', (box) => JSON.stringify(Object.entries({ ...box }).map(String))],
])('a secret is hidden from %s', (_printer, print) => {
  const printed = print(secretOf(SECRET));
  expect(printed).not.toContain(SECRET);
});

test.each<[string, (box: Secret) => string]>([
  ['JSON', (box) => JSON.stringify(box)],
  ['a string', String],
  ['inspect', (box) => inspect(box)],
])('a secret is shown as [secret] by %s', (_printer, print) => {
  expect(print(secretOf(SECRET))).toMatch(/^"?\[secret\]"?$/);
});

test('a secret cannot be cloned into another thread', () => {
  expect(() => structuredClone(secretOf(SECRET))).toThrow(/could not be cloned/);
});
