// Finds what an unmatched credit may be for: payments and agreements of its connection, each with the reasons. A person decides.
import { sql } from 'kysely';
import { uidsIn } from '../domain/float/credit.js';
import { normalPhrases } from '../domain/float/normal-form.js';
import {
  byWeight,
  type CreditCandidate,
  type CandidateReason,
  type SoughtCredit,
} from '../domain/float/candidates.js';
import { tagsToFind } from './tags.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Condition } from './conditions.js';
import type { Opened } from './database.js';

/** Payments of the same amount and agreements that are looked at. */
const MOST_FOUND = 50;
const NEAR_DAYS = 3;
const WITHIN_DAYS = 31;

interface Found {
  kind: 'payment' | 'agreement';
  uid: string;
  state: string;
  amount: number | null;
  is_named: boolean;
  is_referred: boolean;
  is_same_amount: boolean;
  is_near: boolean;
  is_same_payer: boolean;
}

/** @throws the errors of the database. */
export async function findCandidates(
  { db, keyring }: Opened,
  { connectionId, amount, receivedAt, texts, payerAccount }: SoughtCredit,
): Promise<CreditCandidate[]> {
  const words = uidsIn(...texts);
  const { referred, named, namedAgreements, payer } = tagsOf(keyring, texts, payerAccount);
  /** Payments of this amount on one side of the credit's time, nearest first. */
  const nearest = (compared: Condition, direction: Condition): Condition => sql`
    select uid, requested_at from payments
    where connection_id = ${connectionId} and amount = ${amount} and requested_at ${compared} ${receivedAt}::timestamptz
      and requested_at between ${receivedAt}::timestamptz - make_interval(days => ${WITHIN_DAYS})
        and ${receivedAt}::timestamptz + make_interval(days => ${WITHIN_DAYS})
    order by requested_at ${direction} limit ${MOST_FOUND}`;
  const { rows } = await sql<Found>`
    with paying as materialized (
        select uid, connection_id from agreements where search_tags && ${payer}::text[]),
      payer as (select uid from paying where connection_id = ${connectionId} limit ${MOST_FOUND}),
      referred as materialized (
        select uid, connection_id from payments where search_tags && ${[...referred, ...named]}::text[]),
      named as materialized (
        select uid, connection_id from agreements where search_tags && ${namedAgreements}::text[]),
      payment as (
        (select uid from (
            (${nearest(sql`>=`, sql`asc`)}) union all (${nearest(sql`<`, sql`desc`)})) as near
          order by abs(extract(epoch from requested_at - ${receivedAt}::timestamptz)) limit ${MOST_FOUND})
        union select uid from payments where connection_id = ${connectionId} and uid = any(${words}::text[])
        union (select uid from referred where connection_id = ${connectionId} limit ${MOST_FOUND}))
    select 'payment' as kind, uid, state, amount, uid = any(${words}::text[]) or search_tags && ${named}::text[] as is_named,
      search_tags && ${referred}::text[] as is_referred, coalesce(amount = ${amount}, false) as is_same_amount,
      coalesce(abs(extract(epoch from requested_at - ${receivedAt}::timestamptz)) <= ${NEAR_DAYS * 86_400}, false)
        as is_near,
      coalesce(agreement_uid in (select uid from payer), false) as is_same_payer
    from payments where uid in (select uid from payment)
    union all
    select 'agreement', uid, state, amount, uid = any(${words}::text[]) or search_tags && ${namedAgreements}::text[], false,
      coalesce(amount = ${amount}, false), false, uid in (select uid from payer)
    from agreements
    where connection_id = ${connectionId}
      and uid in (
        select uid from payer union select unnest(${words}::text[])
        union (select uid from named where connection_id = ${connectionId} limit ${MOST_FOUND}))
  `.execute(db);
  return byWeight(
    rows.map((row) => ({
      ...{ kind: row.kind, uid: row.uid, state: row.state, amount: row.amount ?? undefined },
      reasons: reasonsIn(row),
    })),
  );
}

function tagsOf(keyring: Keyring, texts: readonly string[], payerAccount: string | undefined) {
  const phrases = normalPhrases(texts);
  return {
    referred: phrases.flatMap((reference) => tagsToFind(keyring, 'payment', { reference })),
    named: phrases.flatMap((uid) => tagsToFind(keyring, 'payment', { uid })),
    namedAgreements: phrases.flatMap((uid) => tagsToFind(keyring, 'agreement', { uid })),
    payer: payerAccount === undefined ? [] : tagsToFind(keyring, 'agreement', { payerAccount }),
  };
}

function reasonsIn(found: Found): CandidateReason[] {
  const given: Readonly<Record<CandidateReason, boolean>> = {
    uid: found.is_named,
    reference: found.is_referred,
    payer_account: found.is_same_payer,
    amount: found.is_same_amount,
    time: found.is_near,
  };
  return (Object.keys(given) as CandidateReason[]).filter((reason) => given[reason]);
}
