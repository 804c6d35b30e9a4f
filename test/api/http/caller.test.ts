import { describe, expect, test } from 'vitest';
import { requestedByCaller } from '../../../api/http/caller.js';

const ANY = { principal: 'shop', connections: undefined };
const BOUND = { principal: 'shop', connections: ['acme'] };
const OWN = { state: 'active', requestedBy: 'shop', connectionId: 'acme' };

describe('an existing resource', () => {
  test.each([
    ['was requested by the caller', OWN, BOUND],
    ['was adopted from the provider', { ...OWN, requestedBy: undefined }, BOUND],
    ['is on any connection, and the key is not bound', { ...OWN, connectionId: 'other' }, ANY],
    ['has been named only by events', { state: 'unknown', connectionId: 'other' }, BOUND],
  ])('is shown if it %s', (_, found, caller) => {
    expect(requestedByCaller(found, caller)).toBe(found);
  });

  test.each([
    ['another caller requested it', { ...OWN, requestedBy: 'app' }, ANY],
    ['the key may not use its connection', { ...OWN, connectionId: 'other' }, BOUND],
    ['the key may not use it, and it was adopted', { state: 'active', connectionId: 'other' }, BOUND],
    ['it has no connection and the key is bound', { ...OWN, connectionId: undefined }, BOUND],
  ])('is refused in the same words if %s', (_, found, caller) => {
    expect(() => requestedByCaller(found, caller, '/id')).toThrow(
      expect.objectContaining({
        code: 'idempotency_conflict',
        message: 'Another caller has already used this id. Choose another one.',
        errors: [{ pointer: '/id', detail: 'expected a value that no other caller has used' }],
      }),
    );
  });
});
