import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { mkdtemp, chmod, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aTerminal, type TerminalOver } from '../../support/a-terminal.js';

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

/** A server at a free port, as whatever a wrong URL may lead to. */
async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const answering = (status: number, body: unknown): RequestListener => {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
};
const problem = (status: number, code: string) =>
  answering(status, {
    code,
    status,
    detail: 'Because.',
    request_id: 'r-1',
    errors: [{ pointer: '/reason', detail: 'expected one' }],
  });
const aTerminalAt = (url: string, over: TerminalOver = {}) =>
  aTerminal({ environment: { PAYTO_URL: url, PAYTO_API_KEY: 'k' }, ...over });
const payment = (uid: string) => ({
  ...{ uid, state: 'settled', amount: 4200, attention: [], awaiting: { what: 'nothing' }, failure: null },
  ...{ requested_at: '2026-11-29T14:00:00Z', agreement_uid: 'agr-1', links: {} },
});

describe('the exit code', () => {
  test.each([
    [400, 'invalid_request', 1],
    [401, 'unauthenticated', 4],
    [403, 'insufficient_scope', 4],
    [409, 'payment_final', 1],
    [410, 'gone', 3],
    [429, 'too_many_requests', 5],
    [500, 'internal', 1],
    [503, 'temporal_unavailable', 5],
  ])('of status %i (%s) is %i, and the problem is printed', async (status, code, exitCode) => {
    const { payto } = aTerminalAt(await aServer(problem(status, code)));
    const ended = await payto('list', 'payments');
    expect(ended).toMatchObject({ exitCode, out: '' });
    expect(ended.notes).toContain(
      `Refused with ${status} ${code}: Because.\n  /reason: expected one\nRequest id: r-1`,
    );
  });

  test('of a uid that nothing has is 3, and of an unreachable API 5', async () => {
    const { payto } = aTerminalAt(await aServer(problem(404, 'not_found')));
    expect(await payto('show', 'pay-1')).toMatchObject({
      exitCode: 3,
      notes: expect.stringContaining('Nothing has the uid pay-1') as string,
    });
    const url = await aServer(() => undefined);
    open.splice(-1).forEach((close) => close());
    expect(await aTerminalAt(url).payto('list', 'payments')).toMatchObject({
      exitCode: 5,
      notes: expect.stringContaining('cannot be reached') as string,
    });
  });

  test.each([
    [['nonsense'], 'unknown command'],
    [['list', 'nonsense'], 'expected one of agreements'],
    [['list', 'rows'], 'expected the uid'],
    [['list', 'payments', '--amount-min', 'x'], 'Expected dollars'],
    [['list', 'payments', '--key', 'abc'], 'visible to everyone'],
    [['resolve', 'pay-1', 'parked'], '--reason'],
    [['resolve', 'pay-1', '--flag', 'parked', '--reason', 'x'], 'not both'],
    [['retry', '--failure', 'AM04'], '--reason <text>, or --dry-run'],
    [['retry'], 'expected the uid of one resource, or options'],
    [['batch', 'b-1', 'pause'], '--reason'],
    [['batch', 'b-1', 'explode'], 'Allowed choices'],
  ])('of wrong usage %j is 2', async (argv, message) => {
    const { payto } = aTerminalAt('http://127.0.0.1:9');
    const { exitCode, notes } = await payto(...argv);
    expect([exitCode, notes]).toEqual([2, expect.stringContaining(message)]);
  });

  test('of a missing approval is 4, with how to give one', async () => {
    const { payto } = aTerminalAt(await aServer(problem(403, 'approval_required')));
    const { exitCode, notes } = await payto('resume', '--reason', 'corrected', '--stopped-by', 'ops');
    expect([exitCode, notes]).toEqual([4, expect.stringContaining('Repeat the command with --approval')]);
  });

  test('of a change without an answer is 5, with the key of a safe repeat', async () => {
    const url = await aServer((request, response) => {
      if (request.method === 'POST')
        return answering(503, { code: 'worker_unavailable', detail: 'x', request_id: 'r' })(
          request,
          response,
        );
      return answering(request.url === '/v1/payments/pay-1' ? 200 : 404, {
        data: payment('pay-1'),
        code: 'not_found',
        request_id: 'r',
      })(request, response);
    });
    const { exitCode, notes } = await aTerminalAt(url).payto('retry', 'pay-1');
    expect([exitCode, notes]).toEqual([
      5,
      expect.stringMatching(/unknown whether[^]*--idempotency-key [0-9a-f-]{36}/),
    ]);
  });

  test('is documented by --help', async () => {
    const { exitCode, out } = await aTerminal().payto('--help');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Exit codes:\n {2}0 +done\n {2}1 [^]*\n {2}5 /);
  });
});

describe('an unexpected answer', () => {
  test('names the version of the API, or says that it is another server', async () => {
    const other = await aServer((request, response) => {
      const isDocument = request.url === '/openapi.json';
      answering(isDocument ? 200 : 404, isDocument ? { info: { version: '9.0.0' } } : { error: 'x' })(
        request,
        response,
      );
    });
    const { notes, exitCode } = await aTerminalAt(other).payto('list', 'payments');
    expect([exitCode, notes]).toEqual([
      1,
      expect.stringMatching(/has version 9\.0\.0, but this payto has version/),
    ]);
    const page = await aServer((_, response) => response.end('<html>'));
    expect((await aTerminalAt(page).payto('list', 'payments')).notes).toContain(
      'does not answer like this API',
    );
  });
});

describe('a list', () => {
  const pages: RequestListener = (request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 0);
    const data = Array.from({ length: 100 }, (_, index) => payment(`pay-${page * 100 + index}`));
    answering(200, { data, links: page < 29 ? { next: `/v1/payments?cursor=${page + 1}` } : {} })(
      request,
      response,
    );
  };

  test('of thousands of rows is written page by page, in JSON one line for each', async () => {
    const { payto } = aTerminalAt(await aServer(pages));
    const { out } = await payto('list', 'payments');
    expect(out.trimEnd().split('\n')).toHaveLength(3001);
    const json = await payto('list', 'payments', '--json', '--limit', '150');
    const lines = json.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { uid: string });
    expect([lines.length, lines.at(-1)?.uid]).toEqual([150, 'pay-149']);
  });

  test('ends quietly if its reader does', async () => {
    const { payto } = aTerminalAt(await aServer(pages), { closesAfter: 2 });
    expect(await payto('list', 'payments')).toMatchObject({ exitCode: 0, notes: '' });
  });

  test('ends with 130 after Ctrl-C', async () => {
    const stopping = new AbortController();
    const url = await aServer(() => stopping.abort());
    expect(await aTerminalAt(url, { signal: stopping.signal }).payto('list', 'payments')).toMatchObject({
      ...{ exitCode: 130, notes: 'Interrupted.\n' },
    });
  });
});

describe('a profile', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'payto-'));
  });
  const fileOf = (name: string) => join(home, '.config/payto', `${name}.json`);

  test('is stored by login for its owner alone, and used by other commands', async () => {
    const url = await aServer(answering(200, { data: [payment('pay-1')], links: {} }));
    const { payto } = aTerminal({ home, readAll: () => Promise.resolve('a-key\n') });
    expect(await payto('login', '--profile', 'acme', '--url', url)).toMatchObject({ exitCode: 0 });
    expect((await stat(fileOf('acme'))).mode & 0o777).toBe(0o600);
    expect((await payto('list', 'payments', '--profile', 'acme')).out).toContain('pay-1');
    expect((await payto('profile', '--profile', 'acme')).out).not.toContain('a-key');
  });

  test('is refused if others can read it, if it is malformed, or if it does not exist', async () => {
    const url = await aServer(answering(200, { data: [], links: {} }));
    const { payto } = aTerminal({ home, readAll: () => Promise.resolve('a-key') });
    await payto('login', '--url', url);
    await chmod(fileOf('default'), 0o640);
    expect(await payto('list', 'payments')).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining('chmod 600') as string,
    });
    await writeFile(fileOf('default'), '{"url": 5}');
    await chmod(fileOf('default'), 0o600);
    expect((await payto('list', 'payments')).notes).toContain('url and key');
    expect((await payto('list', 'payments', '--profile', 'other')).notes).toContain('does not exist');
    expect((await payto('list', 'payments', '--profile', '../x')).notes).toContain('name of a profile');
  });

  test('is not stored with a key that the API does not accept', async () => {
    const url = await aServer(problem(401, 'unauthenticated'));
    const { payto } = aTerminal({ home, readAll: () => Promise.resolve('wrong') });
    expect(await payto('login', '--url', url)).toMatchObject({ exitCode: 4 });
    await expect(stat(fileOf('default'))).rejects.toThrow('ENOENT');
  });
});

test('a change asks on a terminal, and only there; --yes leaves out the question', async () => {
  const requests: string[] = [];
  const url = await aServer((request, response) => {
    requests.push(request.method ?? '');
    answering(200, { data: { stops: [] } })(request, response);
  });
  const stop = ['stop', '--reason', 'wrong'];
  const declined = aTerminalAt(url, { isInteractive: true, ask: () => Promise.resolve('n') });
  expect(await declined.payto(...stop)).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('Nothing was changed') as string,
  });
  expect(requests).toEqual([]);
  expect(await declined.payto(...stop, '--yes')).toMatchObject({ exitCode: 0 });
  expect(await aTerminalAt(url).payto(...stop)).toMatchObject({ exitCode: 0 });
  expect(requests).toEqual(['POST', 'POST']);
});

test.each(['bash', 'zsh'])('completion has all commands, options and kinds for %s', async (shell) => {
  const { exitCode, out } = await aTerminal().payto('completion', shell);
  expect(exitCode).toBe(0);
  for (const word of ['timeline', 'look-up', 'unmatched-credits', '--amount-min', '--profile'])
    expect(out).toContain(word);
  expect(out).not.toMatch(/--key\b(?!-)/);
});

test('open prints the pages of a payment in the console and in Temporal’s UI', async () => {
  const links = { temporal_ui: 'http://ui/payment' };
  const url = await aServer(answering(200, { data: { ...payment('pay-1'), links } }));
  const environment = { PAYTO_URL: url, PAYTO_API_KEY: 'k', PAYTO_CONSOLE_URL: 'http://admin/console/' };
  const ended = await aTerminal({ environment }).payto('open', 'payment', 'pay-1');
  expect(ended).toMatchObject({
    ...{ exitCode: 0, out: 'http://admin/console/payments/pay-1\nhttp://ui/payment\n' },
  });
});
