import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGREEMENT_LIFE } from '../../domain/agreement.js';
import { API_CALLS, FaultPlace } from '../../sandbox/faults/rule.schema.js';
import { DEFAULTS, FaultAction, ON_ANSWER, ON_READ, ON_TOKEN } from '../../sandbox/faults/actions.schema.js';
import { ERROR_TABLE } from '../../payments-api/error-table.js';
import { PAYMENT_LIFE } from '../../domain/payment.js';
import { REFUND_LIFE } from '../../domain/refund.js';
import { SCOPES } from '../../sandbox/http/scopes.js';
import { TITLES } from '../../sandbox/http/error-codes.js';
import { callerWith, consent } from '../support/sandbox/caller.js';
import { codeOfStatus } from '../../payments-api/http/judge.js';
import { createOAuth } from '../../payments-api/oauth.js';
import { createPaymentsApi } from '../../payments-api/client.js';
import { factTypeOf } from '../../payments-api/answers/event.js';
import { newAccount } from '../../sandbox/store/account.schema.js';
import { readNotifications } from '../../payments-api/webhook.js';
import { registerControl } from '../../sandbox/control/routes.js';
import { startSandbox } from '../../sandbox/start.js';
import type { Caller } from '../support/sandbox/caller.js';
import type { Env } from '../../sandbox/http/responses.js';
import type { Life } from '../../domain/fold.js';
import type { RunningSandbox } from '../../sandbox/start.js';

type Row = Readonly<Record<string, string>>;

const ROOT = new URL('../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const PAGE = textOf('docs/provider.md');

const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].flatMap((found) => found[1] ?? []);
const isFile = (word: string): boolean => /^[\w-]+(\/[\w.-]+)+\.ts$/.test(word);
const filesIn = (cell = ''): string[] => quoted(cell).filter(isFile);
const wordsIn = (cell = ''): string[] => quoted(cell).filter((word) => !isFile(word));
const wordIn = (cell = ''): string => wordsIn(cell)[0] ?? '';

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function rowsOf(heading: string): Row[] {
  const [marks = ''] = heading.split(' ');
  const [, section = ''] = PAGE.split(`\n${heading}\n`);
  const [own = ''] = section.split(new RegExp(`\n#{1,${marks.length}} `));
  const tables = own
    .trim()
    .split(/\n{2,}/)
    .filter((block) => block.startsWith('|'));
  const rows = tables.flatMap((table) => {
    const [head = '', , ...lines] = table.split('\n');
    const columns = cellsOf(head);
    return lines.map((line) => {
      const named = cellsOf(line).map((cell, at): [string, string] => [columns[at] ?? '', cell]);
      return Object.fromEntries(named);
    });
  });
  if (rows.length === 0) throw new Error(`expected rows under ${heading} in docs/provider.md; met none`);
  return rows;
}

const OPERATIONS = rowsOf('## Operations');
const EVENTS = rowsOf('## Events');
const FAULTS = rowsOf('### What can go wrong');

const called = (rows: readonly Row[], column: string): [string, Row][] =>
  rows.map((row) => [wordIn(row[column]) || (row[column] ?? ''), row]);

const sorted = (words: Iterable<string>): string[] => [...words].sort();

const isApiCall = (name: string): boolean => API_CALLS.some((call) => call === name);
const CALLS = OPERATIONS.filter(({ sandbox }) => isApiCall(wordIn(sandbox)));

test('.env.example asks for the scopes of the calls that are made, and for no others', () => {
  const [, asked = ''] = /^OAUTH_SCOPES="([^"]*)"$/m.exec(textOf('.env.example')) ?? [];
  const used = OPERATIONS.filter((row) => filesIn(row['used by']).length > 0).flatMap((row) =>
    wordsIn(row['scope']),
  );
  expect(sorted(asked.split(' '))).toEqual(sorted(new Set(used)));
});

let sandbox: RunningSandbox;
let caller: Caller;
let stranger: Caller;
beforeAll(async () => {
  sandbox = await startSandbox();
  const { url } = sandbox;
  caller = callerWith(url, (await consent(url, [...SCOPES.keys()].join(' '))).access);
  stranger = callerWith(url, (await consent(url, 'public')).access);
});
afterAll(() => sandbox.close());

describe('files', () => {
  test('all that are named are there', () => {
    const named = filesIn(PAGE);
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([]);
  });

  test.each([
    ['Operations', 'sandbox', /^$/],
    ['Operations', 'client', /^none: no call of a real provider's$/],
    ['Events', 'sandbox', /^$/],
    ['Events', 'read in', /^$/],
    ['Errors', 'sandbox', /^none: /],
    ['Limits', 'sandbox', /^$/],
    ['Limits', 'our side', /^(the provider's to refuse|later: )/],
    ['Unknown', 'sandbox', /^the tables above$/],
    ['Faults', 'sandbox', /^$/],
  ])('%s: each cell under %s names a file, or says why there is none', (section, column, excuse) => {
    const cells = rowsOf(`## ${section}`).flatMap((row) => row[column] ?? []);
    expect(cells.length).toBeGreaterThan(5);
    expect(cells.filter((cell) => filesIn(cell).length === 0 && !excuse.test(cell))).toEqual([]);
  });
});

describe('operations', () => {
  const CLIENT = { clientId: 'c', clientSecret: 's', redirectUri: 'http://127.0.0.1/' };
  const api = createPaymentsApi({ baseUrl: 'http://127.0.0.1', version: '20260901', versionHeader: 'V' });
  const methods = [
    ...Object.keys(api),
    ...Object.keys(createOAuth({ authUrl: 'http://127.0.0.1', ...CLIENT })),
  ];

  test('each method of the client has one row', () => {
    expect(sorted(OPERATIONS.flatMap(({ client }) => wordsIn(client)))).toEqual(
      sorted([...methods, 'authorizeUrl']),
    );
  });

  test.each(called(CALLS, 'client').filter(([method]) => Object.hasOwn(api, method)))(
    '%s is told of, in the file of its row, as the operation of its row',
    (method, { operation, client }) => {
      const text = textOf(filesIn(client)[0] ?? '');
      const comment = text.match(new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${method}\\(`))?.[1];
      expect(`${comment?.replaceAll(/[,;:.]?\s/g, ' ')} `).toContain(` ${wordIn(operation)} `);
    },
  );

  test('each method that an activity calls has that activity in its row, and no other has one', () => {
    const calls = readdirSync(new URL('activities/', ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const found = textOf(`activities/${name}`).matchAll(/\b(?:payments|oauth)\s*\.(\w+)\(/g);
        return [...new Set([...found].map(([, method]) => `${method} activities/${name}`))];
      });
    const rows = called(OPERATIONS, 'client').flatMap(([method, row]) =>
      filesIn(row['used by']).map((file) => `${method} ${file}`),
    );
    const ofActivities = rows.filter((row) => row.includes(' activities/'));
    expect(sorted(ofActivities)).toEqual(sorted(calls));
  });

  test('each call that a fault can be about has its row', () => {
    const names = new Set(OPERATIONS.map(({ sandbox: cell }) => wordIn(cell)).filter((name) => name !== ''));
    expect(sorted(names)).toEqual(sorted(FaultPlace.options.filter((place) => place !== '*')));
  });

  test.each(called(CALLS, 'sandbox'))('the sandbox has %s, as its row says', async (name, row) => {
    const [method, path = ''] = wordIn(row['operation']).split(' ');
    const ask = (by: Caller) => {
      const real = path.replaceAll(/\{\w+\}/g, 'none');
      const headers = { 'Service-API-Version': '20260101' };
      if (method === 'GET') return by.get(real, headers);
      return method === 'PATCH' ? by.patch(real, {}, headers) : by.post(real, {}, headers);
    };
    const refused = await ask(stranger);
    const scope = wordIn(row['scope']);
    if (scope === '') expect(refused.status).toBe(200);
    else expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    expect(sandbox.control.ledger().at(-1)).toMatchObject({ operation: name });
    const isUnknownYet = (await ask(caller)).errors.some(({ detail }) => detail.includes('version 20260101'));
    expect(isUnknownYet).toBe(row['version'] === '20260901');
    expect(['any', '20260901']).toContain(row['version']);
    expect(textOf(filesIn(row['sandbox'])[0] ?? '')).toContain(`'${name}'`);
  });
});

describe('events', () => {
  const types = EVENTS.map(({ event }) => wordIn(event));
  const LIVES: Readonly<Record<string, Life<string>>> = {
    payto_agreement: AGREEMENT_LIFE,
    payto_payment: PAYMENT_LIFE,
    payto_refund: REFUND_LIFE,
  };
  function effectOf({ moves, still, needsLookUp }: Life<string>, type: string): string {
    if (still.has(type)) return 'unchanged';
    if (needsLookUp.has(type)) return 'looked up';
    return `\`${[...new Set(Object.values(moves).flatMap((move) => move[type] ?? []))].join()}\``;
  }

  test('what the sandbox publishes is what the page has', async () => {
    const { list } = await caller.get('/webhooks');
    expect(sorted(types)).toEqual(list[0]?.['events'] instanceof Array ? sorted(list[0]['events']) : []);
  });

  test('what the domain knows is on the page', () => {
    const known = Object.entries(LIVES).flatMap(([resource, { moves, still, needsLookUp }]) =>
      [...still, ...needsLookUp, ...Object.values(moves).flatMap(Object.keys)].map(
        (type) => `${resource}.${type}`,
      ),
    );
    const ours =
      /\.(requested|refused|lapsed|withdrawn|retried|unresolved|unanswered|attention_resolved|planned|plan_ended)$/;
    const published = new Set(known.filter((type) => !ours.test(type)));
    expect(types).toEqual(expect.arrayContaining([...published]));
  });

  test.each(called(EVENTS, 'event'))('%s is read and folded as its row says', (type, row) => {
    const [resource = ''] = type.split('.');
    const sent = { data: { id: 'e-1', type, resource_type: resource, resource_uid: 'u-1' } };
    const bytes = new TextEncoder().encode(JSON.stringify(sent));
    const [read] = readNotifications(bytes, { receivedAt: '2026-01-01T00:00:00.000Z', authenticated: true });
    const life = LIVES[resource];
    expect(read?.resource).toBe(life === undefined ? 'other' : resource.replace('payto_', ''));
    const [folded] = filesIn(row['folded in']);
    expect(folded).toBe(
      life === undefined ? 'workflows/notification/workflow.ts' : `domain/${read?.resource}.ts`,
    );
    const effect = life === undefined ? 'kept for a person' : effectOf(life, factTypeOf(type, resource));
    expect(row['our state']).toBe(effect);
  });
});

describe('errors', () => {
  const CODES = Object.keys(TITLES);

  test('each family of either side has its row, with the file of the client and the number of its codes', () => {
    const rows = rowsOf('### Families').map(({ family, codes, client }) => {
      expect(filesIn(client)).toEqual(['payments-api/error-table.ts']);
      return [wordIn(family), Number(codes)];
    });
    const countsOf = (codes: readonly string[]): Record<string, number> => {
      const families = codes.map((code) => code.slice(0, -2));
      return Object.fromEntries(
        families.map((one) => [one, families.filter((other) => other === one).length]),
      );
    };
    expect(Object.fromEntries(rows)).toEqual(countsOf(Object.keys(ERROR_TABLE)));
    expect(Object.fromEntries(rows)).toEqual(countsOf(CODES));
  });

  test('each file of the sandbox that has a code is said to, with all its codes', () => {
    const files = readdirSync(new URL('sandbox/', ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== 'http/error-codes.ts')
      .map((file) => `sandbox/${file}`);
    const found = files.flatMap((file) => {
      const code = textOf(file).replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
      return CODES.filter((known) => code.includes(known)).map((known) => `${known} ${file}`);
    });
    const raised = new Set(found.map((one) => one.split(' ')[0]));
    const nowhere = CODES.filter((code) => !raised.has(code)).map((code) => `${code} nowhere`);
    const said = rowsOf('### Where the sandbox raises them').flatMap(
      ({ family, codes = '', sandbox: cell }) =>
        codes.split(', ').map((digits) => `${wordIn(family)}${digits} ${filesIn(cell)[0] ?? 'nowhere'}`),
    );
    expect(sorted(said)).toEqual(sorted([...found, ...nowhere]));
  });

  test.each(called(rowsOf('### By status'), 'status'))('%s is what its row says', (status, row) => {
    expect(wordIn(row['our code'])).toBe(codeOfStatus(Number(status)));
  });
});

test('the account of the sandbox begins with the limits of the page', () => {
  const rows = rowsOf('### Numbers that the account begins with');
  const said = rows.map((row) => [wordIn(row['limit']), row['begins as']]);
  const begun = Object.entries(newAccount().limits).map(([name, limit]) => [name, String(limit ?? 'none')]);
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(begun));
});

describe('faults', () => {
  const placeOf = (action: string): string => {
    const has = (actions: readonly string[]): boolean => actions.includes(action);
    if (has(ON_ANSWER)) return 'calls, `token`';
    return has(ON_READ) ? 'reads' : has(ON_TOKEN) ? '`token`' : '`webhook`';
  };
  test('each has its row: where it can be, and which parameters it has', () => {
    const said = FAULTS.map((row) => [wordIn(row['do']), row['on'], row['parameters']]);
    const real = FaultAction.options.map((action) => {
      const usuals = Object.entries(DEFAULTS[action]).map(([name, usual]) => `\`${name}\` ${usual}`);
      return [action, placeOf(action), usuals.join(', ') || '–'];
    });
    expect(said).toEqual(real);
  });

  test('each control route has its row', () => {
    const app = new Hono<Env>();
    registerControl(app, sandbox.control);
    const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
    const rows = rowsOf('### Everything that can be controlled').map(({ route }) => wordIn(route));
    expect(sorted(rows)).toEqual(sorted(routes));
  });
});
