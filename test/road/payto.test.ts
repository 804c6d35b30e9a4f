// The command line shows and changes what the API does.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../client/create.js';
import { aTerminal, type Terminal, type TerminalOver } from '../support/a-terminal.js';
import { active, overHttp } from '../support/over-http.js';
import { aPayment, type HttpStack } from '../support/http-stack.js';
import { KEY } from '../support/serve-api.js';
import { eventually, useTemporal } from '../support/temporal.js';

const temporal = useTemporal({ isAlone: true });

const terminalAt = (http: HttpStack, over: TerminalOver = {}): Terminal =>
  aTerminal({
    environment: { PAYTO_URL: http.url, PAYTO_API_KEY: KEY, PAYTO_SANDBOX_URL: http.sandbox.url },
    ...over,
  });

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('the command line prints an agreement and its payments, and what happened to them', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { payto } = terminalAt(http);
    const agreement = await active(http, connection);
    const payment = aPayment();
    await http.backend.pay(agreement, payment);
    await http.backend.untilPayment(payment.uid, ({ state }) => state === 'settled');

    expect((await payto('show', payment.uid)).out).toMatch(
      /^Payment .*\n {2}state +settled since .*AE[DS]T\n[^]*\$42\.00/,
    );
    const followed = await payto('follow', 'payment', payment.uid);
    expect(followed).toMatchObject({ exitCode: 0, notes: `payment ${payment.uid} has ended: settled.\n` });
    expect(followed.out).toContain('The payment settled: the money was taken from the payer.');
    const timeline = await payto('timeline', agreement);
    expect(inOneLine(timeline.out)).toMatch(
      /The payer accepted the agreement\.[^]*was admitted under the agreement\./,
    );
    const entries = (await payto('timeline', payment.uid, '--json')).out.trimEnd().split('\n');
    expect(entries.map((line) => (JSON.parse(line) as { summary: string }).summary)).toContain(
      'The payment is now settled.',
    );
    const listed = await eventually(
      () => payto('list', 'payments', '--agreement', agreement, '--state', 'settled'),
      ({ out }) => out.includes(payment.uid),
    );
    expect(listed.out).toMatch(/^UID +STATE +AMOUNT/);
    expect(await payto('list', 'payments', '--unanswered', '1h')).toMatchObject({ exitCode: 1 });

    const failed = await payto('trigger', 'payment.failed', '--code', 'AM04', '--agreement', agreement);
    expect(failed.out).toContain('is failed (AM04)');
    expect(await payto('trigger', 'payment.failed', '--sandbox', http.url)).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('is no sandbox') as string,
    });
  });
});

test('the command line finds flags and resolves them, and stops and resumes payments', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { payto } = terminalAt(http);
    const uid = `cp-${randomUUID()}`;
    // The simulated bank has another name for this account.
    const account_identifier = { type: 'bban' as const, value: '200001-90000002' };
    const verification = { method: 'account_validation' as const };
    await http.backend.party({
      ...{ uid, connection },
      payment_accounts: [{ account_identifier, party_name: 'Ada Payer', verification }],
    });
    const flags = await eventually(
      () => payto('attention', '--connection', connection),
      ({ out }) => out.includes(uid),
    );
    expect(flags.out).toMatch(new RegExp(`^counterparty ${uid}\n {2}FLAG +parked since [^]*What to do: `));
    expect(await payto('resolve', uid, 'overdue', '--reason', 'x')).toMatchObject({
      ...{ exitCode: 3, notes: `counterparty ${uid} has no flag overdue. Open flags: parked.\n` },
    });
    const close = ['--decision', 'close', '--reason', 'case 5'];
    expect((await payto('resolve', uid, 'parked', ...close)).out).toBe(
      `Done. counterparty ${uid}: failed; flags: none.\n`,
    );
    await eventually(
      () => payto('timeline', uid),
      ({ out }) =>
        out
          .replaceAll(/\s+/g, ' ')
          .includes('test resolved the flag parked with the decision close: “case 5”.'),
    );

    expect((await payto('stop', '--connection', connection, '--reason', 'looks wrong')).out).toContain(
      `Stopped: connection ${connection}, by test since`,
    );
    expect((await payto('stops')).out).toContain('“looks wrong”');
    expect((await payto('resume', '--connection', connection, '--reason', 'corrected')).out).toContain(
      'No stop is in force',
    );
  });
});

test('listen forwards each event as a signed webhook', async () => {
  await overHttp(temporal, async (http, connection) => {
    const received: { headers: Record<string, string>; body: string }[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const stopping = new AbortController();
    try {
      const { payto, printed } = terminalAt(http, { signal: stopping.signal });
      const agreement = await active(http, connection);
      const options = ['--since', '1h', '--connection', connection, '--type', 'agreement.*'];
      const listening = payto('listen', ...options, '--forward-to', `http://127.0.0.1:${port}/hooks`);
      await eventually(
        () => Promise.resolve(received),
        (all) => all.length >= 2,
      );
      stopping.abort();
      expect(await listening).toMatchObject({ exitCode: 0 });
      const [secret = ''] = /whsec_\S+/.exec(printed().notes) ?? [];
      const [first = { headers: {}, body: '' }] = received;
      expect(await verifyWebhook({ secret, ...first })).toMatchObject({
        ...{ type: 'agreement.created', resource: { uid: agreement } },
      });
    } finally {
      stopping.abort();
      server.close();
    }
  });
});
