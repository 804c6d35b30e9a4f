// An operator’s command over many resources is tried out, interrupted and resumed, and does nothing twice.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { aTerminal, type TerminalOver } from '../support/a-terminal.js';
import { active, overHttp } from '../support/over-http.js';
import { createSlots } from '../../activities/temporal/slots.js';
import { aPayment, type HttpStack } from '../support/http-stack.js';
import { KEY } from '../support/serve-api.js';
import { sizeOf } from '../support/size.js';
import { eventually, useTemporal } from '../support/temporal.js';

const MANY = sizeOf(16, 500);
const PER_AGREEMENT = 2;
const CENTS = 100;
const AT_ONCE = 8;

const temporal = useTemporal();

const terminalAt = (http: HttpStack, over: TerminalOver = {}) =>
  aTerminal({ environment: { PAYTO_URL: http.url, PAYTO_API_KEY: KEY }, ...over });

const retriesAt = ({ sandbox }: HttpStack): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'call' && entry.operation === 'retry_payment' ? [entry.resource_uid ?? ''] : [],
    );

/** Payments that have failed with AM04. A retry of them settles. */
async function failPayments(http: HttpStack, connection: string): Promise<string[]> {
  const inSlot = createSlots(AT_ONCE);
  const agreements = Array.from({ length: MANY / PER_AGREEMENT }, () =>
    inSlot(() => active(http, connection)),
  );
  const pay = async (agreement: Promise<string>): Promise<string> => {
    const payment = aPayment(undefined, { amount: CENTS });
    const { control } = http.sandbox;
    control.scriptPayment(payment.uid, { simulate: 'insufficient_funds' });
    await http.backend.pay(await agreement, payment);
    await http.backend.untilPayment(payment.uid, ({ state }) => state === 'failed');
    control.scriptPayment(payment.uid, { simulate: 'auto_settle' });
    return payment.uid;
  };
  const each = Array.from({ length: PER_AGREEMENT }, () => agreements).flat();
  return Promise.all(each.map((agreement) => inSlot(() => pay(agreement))));
}

test(`a retry of ${MANY} payments is tried out, interrupted and resumed, and carried out once`, async () => {
  await overHttp(temporal, async (http, connection) => {
    const uids = await failPayments(http, connection);
    const command = ['retry', '--failure', 'AM04', '--connection', connection, '--reason', 'bank outage'];
    const tried = await eventually(
      () => terminalAt(http).payto(...command, '--dry-run'),
      ({ out }) => out.includes(`Dry run: ${MANY} found of $${MANY}.00. Nothing was changed.`),
    );
    expect(tried.out).toContain(`${MANY} passes ($${MANY}.00)`);
    expect(retriesAt(http)).toEqual([]);

    const interrupt = new AbortController();
    const terminal = terminalAt(http, { signal: interrupt.signal });
    const ended = terminal.payto(...command, '--yes');
    await eventually(
      () => retriesAt(http).length > 0 && terminal.printed().notes.includes('is running'),
      Boolean,
    );
    interrupt.abort();
    const { exitCode, notes } = await ended;
    expect([exitCode, notes]).toEqual([130, expect.stringMatching(/Batch \S+ continues on the server/)]);
    const id = /Batch (\S+) continues/.exec(notes)?.[1] ?? '';

    const { payto } = terminalAt(http);
    expect((await payto('batch', id, 'pause', '--reason', 'lunch')).out).toContain('is paused');
    expect(retriesAt(http).length).toBeLessThan(MANY);
    await payto('batch', id, 'resume', '--reason', 'back');
    const done = `Batch ${id} is done: ${MANY} done ($${MANY}.00).`;
    expect((await payto('batch', id)).out.replaceAll(/\s+/g, ' ').trim()).toBe(done);
    expect(retriesAt(http).sort()).toEqual(uids.sort());
    expect((await payto(...command, '--dry-run')).out).toContain('Dry run: 0 found.');
  });
});

const MISNAMED = { type: 'bban' as const, value: '200001-90000002' };

test('a batch closes parked counterparties of its connection, and refuses flags that are gone', async () => {
  await overHttp(temporal, async (http, connection) => {
    const uids = Array.from({ length: 2 }, () => `cp-${randomUUID()}`);
    const verification = { method: 'account_validation' as const };
    for (const uid of uids)
      await http.backend.party({
        ...{ uid, connection },
        payment_accounts: [{ account_identifier: MISNAMED, party_name: 'Ada Payer', verification }],
      });
    const { payto } = terminalAt(http);
    const command = ['resolve', '--flag', 'parked', '--connection', connection, '--decision', 'close'];
    await eventually(
      () => payto(...command, '--dry-run'),
      ({ out }) => out.includes('Dry run: 2 found.'),
    );
    const ended = await payto(...command, '--reason', 'case 5');
    expect(ended.out.replaceAll(/\s+/g, ' ')).toMatch(/Batch \S+ is done: 2 done\./);
    for (const uid of uids)
      expect((await http.get(`/v1/counterparties/${uid}`)).body).toMatchObject({
        ...{ state: 'failed', attention: [] },
      });
  });
});
