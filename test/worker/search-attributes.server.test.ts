import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/search-attributes.js';
import { ensureSearchAttributes } from '../../worker/search-attributes.js';
import { registerNamespace } from '../support/temporal.js';

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address: inject('temporalAddress') });
});
afterAll(() => connection.close());

test('missing search attributes are registered, and existing ones are unchanged', async () => {
  const namespace = `attributes-${randomUUID()}`;
  const client = new Client({ connection, namespace });
  const listed = async () =>
    Object.keys(
      (await connection.operatorService.listSearchAttributes({ namespace })).customAttributes ?? {},
    );
  await registerNamespace(client);
  expect(await listed()).toEqual(expect.arrayContaining(SEARCH_ATTRIBUTES.map(({ name }) => name)));
  await ensureSearchAttributes(client);
});
