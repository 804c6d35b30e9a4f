import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { mandate, type Backend } from './backend.js';
import type { Words } from './markers.js';

export async function registerParty(
  { done, until }: Backend,
  connection: string,
  words: Words,
): Promise<string> {
  const uid = `cp-${randomUUID()}`;
  const path = `/v1/counterparties/${uid}`;
  const evidence = {
    provider_name: 'IDCo',
    reference: words.partyEvidence,
    verified_at: '2026-01-01T00:00:00Z',
  };
  const { payment_accounts } = await done('/v1/counterparties?wait=20', {
    uid,
    connection,
    identity: { legal_name: words.partyName, verification: { method: 'third_party_provider', ...evidence } },
    payment_accounts: [
      {
        account_identifier: { type: 'bban', value: '200001-90000002' },
        party_name: words.partyAccountName,
        verification: { method: 'account_validation' },
      },
    ],
  });
  await until(path, 'state', 'unverified');
  const [account] = z.array(z.object({ uid: z.string() })).parse(payment_accounts);
  await done(`${path}/correction`, {
    payment_account_uid: account?.uid,
    account_identifier: { type: 'bban', value: words.partyAccount },
    reason: words.partyCorrection,
  });
  await until(path, 'state', 'registered');
  return uid;
}

const named = (uid: string, party_name: string) => {
  const { connection: _, ...asked } = mandate(uid, '', '200001-12340001', 'bban');
  return { ...asked, debtor: { ...asked.debtor, party_name } };
};

export async function onboardParty(
  { done, until }: Backend,
  connection: string,
  words: Words,
): Promise<string> {
  const [id, uid] = [`onb-${randomUUID()}`, `agr-onb-${randomUUID()}`];
  const agreement = named(uid, words.onboardedName);
  await done('/v1/onboardings', { id, connection, client: { client_id: randomUUID() }, agreement });
  await done(`/v1/onboardings/${id}/abandonment?wait=20`, { reason: words.onboardingReason });
  await until(`/v1/onboardings/${id}`, 'state', 'abandoned');
  return id;
}

export async function carryBatch(
  { done, post, until }: Backend,
  connection: string,
  words: Words,
): Promise<string> {
  const [id, uid] = [`b-${randomUUID()}`, `agr-batch-${randomUUID()}`];
  await done('/v1/batches', { id, connection, kind: 'agreements', rows: [named(uid, words.batchedName)] });
  await done(`/v1/batches/${id}/pause`, { reason: words.batchReason });
  await post(`/v1/batches/${id}/resumption`, { reason: words.batchReason });
  await until(`/v1/batches/${id}`, 'state', 'done');
  return uid;
}
