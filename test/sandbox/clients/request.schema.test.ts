import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aClient, aCounterparty, aLegacyClient, aRegisteredClient } from '../../support/sandbox/clients.js';
import { anAliasLookup, aValidation } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

const RUNS = 60;
const LEGACY = { 'Service-API-Version': '20260101' };

test.each([
  { path: '/clients', good: aClient, headers: {} },
  { path: '/clients', good: aLegacyClient, headers: LEGACY },
  { path: '/counterparties', good: aCounterparty, headers: {} },
  { path: '/payto/alias_resolution', good: anAliasLookup, headers: {} },
  { path: '/cop/account/validate', good: aValidation, headers: {} },
])('POST $path $headers with one field spoiled', async ({ path, good, headers }) => {
  const { caller } = await aWorld();
  const fields = fc.oneof(fc.constantFrom(...Object.keys(good())), fc.string());
  const spoiled = fc.tuple(fields, fc.jsonValue({ maxDepth: 4 }));
  await fc.assert(
    fc.asyncProperty(spoiled, async ([field, value]) => {
      const body = Object.fromEntries([...Object.entries(good()), [field, value]]);
      const { status, errors } = await caller.post(path, body, headers);
      expect([200, 201, 400, 422]).toContain(status);
      expect(errors.length > 0).toBe(status >= 400);
    }),
    { numRuns: RUNS },
  );
});

test('PATCH of a client with any field', async () => {
  const { caller } = await aWorld();
  const id = await aRegisteredClient({ caller });
  const fields = fc.oneof(fc.constantFrom(...Object.keys(aLegacyClient())), fc.string());
  await fc.assert(
    fc.asyncProperty(fields, fc.jsonValue({ maxDepth: 4 }), async (field, value) => {
      const { status, errors } = await caller.patch(`/clients/${id}`, Object.fromEntries([[field, value]]));
      expect([202, 400, 422]).toContain(status);
      expect(errors.length > 0).toBe(status >= 400);
      expect((await caller.get(`/clients/${id}`)).status).toBe(200);
    }),
    { numRuns: RUNS },
  );
});

test('a field nested deeper than a stack is taken where anything is, refused elsewhere', async () => {
  const { caller } = await aWorld();
  const depth = 100_000;
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const bodyWith = (field: string): string =>
    JSON.stringify(aLegacyClient({ [field]: 'here' })).replace('"here"', nested);
  expect((await caller.post('/clients', bodyWith('relationship'), LEGACY)).status).toBe(201);
  expect((await caller.post('/clients', bodyWith('registered_address'), LEGACY)).status).toBe(422);
});
