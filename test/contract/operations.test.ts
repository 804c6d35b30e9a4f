import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CORE_STEPS } from '../support/payments-api/contract/walk-core.js';
import { PAYTO_STEPS } from '../support/payments-api/contract/walk-payto.js';
import { VERSION_HEADER, startWorld, type World } from '../support/payments-api/contract/world.js';
import { thrownBy } from '../support/payments-api/loopback.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { Step } from '../support/payments-api/contract/walk.js';

const WALK: Record<Exclude<keyof PaymentsApi, 'downloadSettlementReport'>, Step> = {
  ...PAYTO_STEPS,
  ...CORE_STEPS,
};
const rows = Object.entries(WALK).map(([method, step]) => ({ method, ...step }));

let world: World;
let stranger: Call;
beforeAll(async () => {
  world = await startWorld();
  stranger = await world.connect('public');
});
afterAll(() => world.close());

const wireLine = (line: string): RegExp =>
  new RegExp(`^${line.replaceAll('/', '\\/').replaceAll('{}', '[\\w~.-]+')}$`);

test('the walk covers every method of the client', () => {
  expect([...Object.keys(WALK), 'downloadSettlementReport'].sort()).toEqual(Object.keys(world.api).sort());
});

describe('operation', () => {
  test.each(rows)(
    '$method sends $line with scope and version',
    async ({ line, operation, scope, status, prepare, expected }) => {
      const run = await prepare(world);
      await world.control.advance(1);
      if (scope !== null) {
        const refused = world.mark();
        expect(await thrownBy(() => run(stranger))).toMatchObject({
          code: 'forbidden',
          status: 403,
          requiredScope: scope,
          providerCodes: [],
        });
        expect(world.control.ledger(refused)).toMatchObject([{ kind: 'call', operation, status: 403 }]);
      }
      const before = world.mark();
      const result = await run(world.call);
      const { line: asked, sentHeaders, status: answered, headers, body } = world.wire.last();
      expect(asked).toMatch(wireLine(line));
      expect(sentHeaders[VERSION_HEADER]).toBe('20260901');
      expect(answered).toBe(status);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      expect(result).toEqual(expected(body));
      expect(world.control.ledger(before, { kind: 'call' })).toMatchObject([{ operation, status }]);
    },
  );
});
