// The activities of the comparisons: without effect, or with the duties of the product.
import { sql, type Kysely } from 'kysely';
import { anAgreement, aPayment } from '../../cli/first-commands.js';
import { callJson } from '../../cli/api/http.js';
import { Anything } from '../../cli/api/answers.schema.js';

export interface Change {
  uid: string;
  version: number;
  event: string;
  state: string;
}

export interface ComparisonActivities {
  createAgreement(uid: string): Promise<void>;
  submitPayment(uid: string, agreementUid: string): Promise<void>;
  /** After it the state is visible to readers. */
  storeChange(change: Change): Promise<void>;
}

/** Tells the driver that a reader can find this state now. */
export type Report = (uid: string, state: string) => void;

export const noDuties = (report: Report): ComparisonActivities => ({
  createAgreement: () => Promise.resolve(),
  submitPayment: () => Promise.resolve(),
  storeChange: ({ uid, state }) => Promise.resolve(report(uid, state)),
});

export interface Duties {
  sandboxUrl: string;
  accessToken: string;
  db: Kysely<Record<string, never>>;
}

/** Calls the sandbox, and stores one row for each change. */
export function withDuties({ sandboxUrl, accessToken, db }: Duties, report: Report): ComparisonActivities {
  const headers = { authorization: `Bearer ${accessToken}`, 'Service-API-Version': '20260901' };
  const post = async (path: string, body: object): Promise<void> =>
    void (await callJson(`${sandboxUrl}${path}`, Anything, { method: 'POST', headers, body }));
  return {
    createAgreement: (uid) => {
      const { connection: _, ...body } = anAgreement({ uid, connection: '', description: 'the same life' });
      return post('/payto/agreements', body);
    },
    submitPayment: (uid, agreementUid) =>
      post('/payto/payments', { ...aPayment(uid, 100), agreement_uid: agreementUid, priority: 'unattended' }),
    storeChange: async ({ uid, version, event, state }) => {
      await sql`
        insert into changes (uid, version, event, state, at) values (${uid}, ${version}, ${event}, ${state}, now())
        on conflict do nothing`.execute(db);
      report(uid, state);
    },
  };
}

/** Creates the table of the changes. */
export const createTable = (db: Kysely<Record<string, never>>): Promise<unknown> =>
  sql`
    create table changes (uid text, version int, event text not null, state text not null, at timestamptz not null,
      primary key (uid, version))`.execute(db);
