import { expect, test } from 'vitest';
import { PUBLIC_ENDPOINTS } from '../../api/app.js';
import { documentOf } from '../../api/routes/operations/document.js';

const document = documentOf(PUBLIC_ENDPOINTS);
/** A named path may have a value, as in `attention/parked`, in place of a parameter. */
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.keys(item).map((method) => new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')),
);
/** Served, but not in the public document: the provider's own route, and the codec of the admin port. */
const ELSEWHERE = ['GET /user', 'POST /codec/decode'];

const named = [
  ...JSON.stringify(document).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]*)[?`]/g),
].flatMap(([, operation]) => operation ?? []);

test('each operation that a text of the document names exists', () => {
  expect(named.length).toBeGreaterThan(20);
  const isThere = (name: string) => operations.some((one) => one.test(name)) || ELSEWHERE.includes(name);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
