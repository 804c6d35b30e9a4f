// Tokens are refreshed once, never stored in clear, and agreements wait without them.
import { expect, test } from 'vitest';
import { agreementWorkflowId } from '../../workflows/agreement/contract.js';
import { connectionWorkflowId, ensureGeneration } from '../../workflows/connection/contract.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';
import { consentAt } from '../support/consents.js';
import { aPayment, anAgreement, type HttpStack } from '../support/http-stack.js';
import { CLIENT_SECRET } from '../support/serve-api.js';
import { lettersOf, openedLettersOf } from '../support/sealing/raw.js';
import { CODEC, fastForward, useTemporal } from '../support/temporal.js';
import { active, overHttp } from '../support/over-http.js';
import type { Agreement, Connection } from '../support/backend.js';

const temporal = useTemporal();
const TWO_HOURS = 2 * 3600;

const outcomesOf = ({ sandbox }: HttpStack): string[] =>
  sandbox.control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'token' && entry.grant_type === 'refresh_token' ? [entry.outcome] : [],
    );
const demand = (connection: string) =>
  temporal.client.workflow
    .getHandle(connectionWorkflowId(connection))
    .executeUpdate(ensureGeneration, { args: [{ after: 1 }] });
const isFlagged =
  (code: string) =>
  ({ attention }: Pick<Connection, 'attention'>): boolean =>
    attention.some((flag) => flag.code === code);
const waitsForConsent = ({ awaiting }: Pick<Agreement, 'awaiting'>): boolean =>
  awaiting.what === 'reauthorisation';
const consentAgain = async ({ backend }: HttpStack, connection: string): Promise<void> =>
  void (await consentAt((await backend.reauthorise(connection)).data?.authorize_url ?? ''));

async function historyText(workflowId: string): Promise<string> {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return `${lettersOf(events)}\n${await openedLettersOf(events, CODEC)}`;
}

async function keepingCodes(codes: Set<string>, work: () => Promise<void>): Promise<void> {
  const { fetch: original } = globalThis;
  globalThis.fetch = async (input, init) => {
    const answer = await original(input, init);
    const [, code] = /[?&]code=([^&]+)/.exec(answer.url) ?? [];
    if (code !== undefined) codes.add(code);
    return answer;
  };
  try {
    await work();
  } finally {
    globalThis.fetch = original;
  }
}

test('concurrent requests refresh an expired token once, and no history contains a secret', async () => {
  const secrets = new Set<string>([CLIENT_SECRET]);
  const live = async (http: HttpStack, connection: string) => {
    const { backend, sandbox } = http;
    const uid = await active(http, connection);
    await sandbox.control.advance(TWO_HOURS + 1);
    const many = Array.from({ length: 6 }, () => anAgreement(undefined, { connection }));
    const answers = await Promise.all(many.map((agreement) => backend.create(agreement)));
    expect(answers.map(({ data }) => data?.state)).toEqual(many.map(() => 'active'));
    expect(outcomesOf(http)).toEqual(['issued']);
    expect((await backend.connection(connection)).data).toMatchObject({ generation: 2, status: 'healthy' });

    const payment = aPayment();
    await backend.pay(uid, payment, { wait: 20 });
    for (const token of http.issued) secrets.add(token);
    expect(secrets.size).toBe(6);
    for (const id of [
      connectionWorkflowId(connection),
      agreementWorkflowId(uid),
      paymentWorkflowId(payment.uid),
    ]) {
      const text = await historyText(id);
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    expect(await historyText(connectionWorkflowId(connection))).toContain('sealedRefresh');
  };
  await keepingCodes(secrets, () => overHttp(temporal, live));
});

test('a lost refresh answer ends the grant only if the provider does not repeat the pair', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    sandbox.control.setOAuth({ grace_seconds: 60 });
    sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    expect(await demand(connection)).toMatchObject({ status: 'healthy', generation: 2 });
    expect(outcomesOf(http)).toEqual(['issued', 'issued_again']);

    const other = `${connection}-other`;
    await http.consent(other);
    sandbox.control.setOAuth({ grace_seconds: 0 });
    sandbox.control.addFault({ on: 'token', do: 'cut_after_commit', times: 1 });
    const answer = demand(other);
    const flagged = await backend.untilConnection(other, isFlagged('needs_reauthorisation'));
    expect(flagged.next).toContain(`/v1/connections/${other}/reauthorisation`);
    expect(outcomesOf(http).slice(2)).toEqual(['issued', 'refresh_token_reused']);
    await consentAgain(http, other);
    expect(await answer).toMatchObject({ status: 'healthy', generation: 101 });
    await active(http, other);
    expect((await backend.connection(connection)).data).toMatchObject({ status: 'healthy', attention: [] });
  });
});

test('agreements wait while the grant is revoked and resume automatically after new consent', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const { data } = await backend.revoke(connection, 'A test.');
    expect(data).toMatchObject({ status: 'needs_reauthorisation', generation: 0, expires_at: null });
    expect(data?.attention[0]?.detail).toContain('test revoked our tokens: A test.');
    const first = anAgreement(undefined, { connection });
    await backend.create(first, 0);
    await backend.untilAgreement(first.uid, waitsForConsent);
    expect(outcomesOf(http)).toEqual([]);
    await http.consent(connection);
    await backend.untilAgreement(first.uid, ({ state }) => state === 'active');

    sandbox.control.revokeGrants();
    const second = anAgreement(undefined, { connection });
    await backend.create(second, 0);
    await backend.untilConnection(connection, isFlagged('needs_reauthorisation'));
    expect(outcomesOf(http)).toEqual(['grant_revoked']);
    await fastForward(temporal.client, connectionWorkflowId(connection), 120);
    const lost = await backend.untilConnection(
      connection,
      ({ status }) => status === 'needs_reauthorisation',
    );
    expect(lost.last_failure?.code).toBe('grant_refused');
    await backend.untilAgreement(second.uid, waitsForConsent);
    await http.consent(connection);
    await backend.untilAgreement(second.uid, ({ state }) => state === 'active');
  });
});

test('a missing scope flags the agreement with consent instructions and causes no token refresh', async () => {
  await overHttp(temporal, async (http, connection) => {
    const { backend, sandbox } = http;
    const [grant] = sandbox.control.state().grants.slice(-1);
    if (grant === undefined) throw new Error('expected a grant');
    grant.scopes = grant.scopes.filter((scope) => scope !== 'pay_to_agreements');
    const agreement = anAgreement(undefined, { connection });
    await backend.create(agreement, 0);
    const blocked = await backend.untilAgreement(agreement.uid, isFlagged('forbidden'));
    expect(JSON.stringify(blocked.attention)).toMatch(
      /pay_to_agreements.*POST \/v1\/connections\/[^/]+\/reauthorisation/,
    );
    expect(JSON.stringify(blocked)).not.toMatch(/oauth\/authorize\?|https?:/);
    expect(outcomesOf(http)).toEqual([]);
    await consentAgain(http, connection);
    await backend.untilAgreement(agreement.uid, ({ state }) => state === 'active');
  });
});
