import { expect, test } from 'vitest';
import { sharedParts } from '../../../../api/routes/operations/shared-parts.js';

const problem = { description: 'No.', content: { 'application/problem+json': {} } };
const aParameter = (maximum: number) => ({
  ...{ name: 'per_page', in: 'query' as const, description: 'At most.' },
  schema: { type: 'integer' as const, maximum, description: 'At most.' },
});
const aDocument = (...maxima: number[]) => ({
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: Object.fromEntries(
    maxima.map((maximum, n) => [
      `/${n}`,
      {
        get: { parameters: [aParameter(maximum)], responses: { 200: { description: 'Yes.' }, 400: problem } },
      },
    ]),
  ),
});

test('parameters that operations repeat, and problems, are written once', () => {
  const { paths, components } = sharedParts(aDocument(100, 100, 7));
  const shared = { $ref: '#/components/parameters/PerPageParameter' };
  const { description: _, ...schema } = aParameter(100).schema;
  expect(components).toMatchObject({
    parameters: { PerPageParameter: { ...aParameter(100), schema } },
    responses: { BadRequest: problem },
  });
  expect(Object.values(paths ?? {}).map(({ get }) => get?.parameters?.[0])).toEqual([
    shared,
    shared,
    expect.objectContaining({ name: 'per_page', schema: { type: 'integer', maximum: 7 } }),
  ]);
  expect(paths?.['/0']?.get?.responses).toEqual({
    200: { description: 'Yes.' },
    400: { $ref: '#/components/responses/BadRequest' },
  });
});

test('two different shared parameters must have different names', () => {
  expect(() => sharedParts(aDocument(100, 100, 7, 7))).toThrow('have the name PerPageParameter');
});
