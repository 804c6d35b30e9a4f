import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGREEMENT_ROWS, type Rows } from '../support/payments-api/refused-agreements.js';
import { PAYMENT_ROWS } from '../support/payments-api/refused-payments.js';
import { ERROR_TABLE } from '../../payments-api/error-table.js';
import { TITLES } from '../../sandbox/http/error-codes.js';
import { errors } from '../support/payments-api/resource-shapes.js';
import { judge } from '../../payments-api/http/judge.js';
import { type World, passToNoon, startWorld } from '../support/payments-api/contract-world.js';
import { thrownBy } from '../support/payments-api/loopback.js';
import type { Meaning } from '../../domain/provider/error-meaning.js';

const DOCUMENTED = {
  ZPUNP: '00 01 02 03 04 05 06 07 08 09',
  ZPPGN: '00',
  ZPAGR: '00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18',
  ZPPAY: '00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25',
  ZPPRY: '00 01 02 03 04 05',
  ZPAMN: '00 01 02 03 04 05 06 07 08',
  ZPARE: '00 01 02',
  ZPCAN: '00 01',
  ZPSUS: '00 01',
  ZPREA: '00 01',
  ZPREF: '00 01 02 03 04 05 06 07 09 10 12',
  ZPADD: '01 02 03 04 98',
  ZCOPR: '00 01 02 04 05 06 07',
  ZCLT: '05',
};
const CODES = Object.entries(DOCUMENTED).flatMap(([family, numbers]) =>
  numbers.split(' ').map((number) => family + number),
);

const RAISED: Rows = { ...AGREEMENT_ROWS, ...PAYMENT_ROWS };

const AS_EVENT =
  'docs/provider.md#provider-sandbox: the sandbox sends this code in an event after acceptance, never as an answer';
const NOT_RAISED: Record<string, [means: Meaning, why: string]> = {
  ZPUNP06: ['service_down', AS_EVENT],
  ZPUNP07: ['alias_unknown', AS_EVENT],
  ZPUNP08: ['alias_unknown', AS_EVENT],
  ZPUNP09: ['not_configured', 'no documented setting turns off the alias service of an account'],
};

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await passToNoon(world);
});
afterAll(() => world.close());

test('the tables of both sides list exactly the documented codes', () => {
  expect([...Object.keys(RAISED), ...Object.keys(NOT_RAISED)].sort()).toEqual([...CODES].sort());
  expect(Object.keys(TITLES).sort()).toEqual([...CODES].sort());
  expect(Object.keys(ERROR_TABLE).sort()).toEqual([...CODES].sort());
});

const rows = Object.entries(RAISED).flatMap(([code, row]) => [row].flat().map((one) => ({ code, ...one })));

describe('codes raised by the sandbox', () => {
  test.each(rows)('$code means $means (case %#)', async (row) => {
    const { code, means, status, called, bring } = row;
    expect(await thrownBy(() => bring(world))).toMatchObject({
      name: 'PaymentsApiError',
      code: called,
      status,
      providerCodes: [code],
      means,
      requestId: world.last().headers.get('x-request-id'),
    });
    const { body, ...answer } = world.last();
    expect(answer.status).toBe(status);
    expect(errors.parse(body)).toMatchObject({ errors: [{ code }] });
    expect(world.control.ledger(0, { kind: 'call' }).at(-1)).toMatchObject({ status, fault: null });
  });
});

describe('codes that no sandbox call raises', () => {
  test.each(Object.entries(NOT_RAISED))('%s is read from a documented body', async (code, [means]) => {
    const body = { errors: [{ code, title: 'Short name', detail: 'Sentence with specifics' }] };
    const reply = {
      status: 422,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: Buffer.from(JSON.stringify(errors.parse(body))),
    };
    expect(await thrownBy(() => judge({ name: 'createAgreement' }, reply, Date.now()))).toMatchObject({
      code: 'rejected',
      status: 422,
      providerCodes: [code],
      means,
    });
  });
});
