// API calls that only this demo makes: float accounts, unmatched credits, reconciliation and the journal.
import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { boundedClient, dataOf } from '../../api/client.js';
import { eventually } from '../../api/waiting.js';
import { answerOf } from '../../../client/create.js';
import { journalOf, type Journal } from './journal.js';
import type * as Schemas from '../../../client/create.js';

export type FloatAccount = Schemas.FloatAccount;
export type UnmatchedCredit = Schemas.UnmatchedCredit;
export type Statement = Schemas.FloatStatement;
export type Reconciliation = Schemas.Reconciliation;

export type FloatCalls = ReturnType<typeof createFloatCalls>;

/** @param signal aborts all pending calls. */
export function createFloatCalls(url: string, apiKey: string, signal: AbortSignal) {
  const client = boundedClient(url, apiKey, signal);
  const to = (uid: string) => ({ path: { uid } });
  return {
    account: async (id: string): Promise<FloatAccount | undefined> => {
      const accounts = await dataOf(client.GET('/v1/float-accounts', { params: { query: {} } }));
      return accounts.find(({ uid }) => uid === id);
    },
    credits: (): Promise<UnmatchedCredit[]> =>
      dataOf(client.GET('/v1/unmatched-credits', { params: { query: { per_page: 100 } } })),
    credit: (uid: string): Promise<Schemas.UnmatchedCreditWithCandidates> =>
      dataOf(client.GET('/v1/unmatched-credits/{uid}', { params: to(uid) })),
    resolve: (uid: string, body: Schemas.ResolveCredit): Promise<UnmatchedCredit> =>
      dataOf(client.POST('/v1/unmatched-credits/{uid}/resolution', { params: to(uid), body })),
    statement: async (uid: string, day: string): Promise<Statement> => {
      const call = client.GET('/v1/float-accounts/{uid}/statements/{day}', {
        params: { path: { uid, day } },
      });
      const answer = await answerOf<{ data: Statement } | string>(call);
      if (typeof answer === 'string') throw new Error('expected a statement as JSON, received CSV');
      return answer.data;
    },
    reconcile: (day: string): Promise<Reconciliation> =>
      dataOf(client.GET('/v1/reconciliation/{day}', { params: { path: { day }, query: {} } })),
    journal: async (from: string, until: string): Promise<Journal> =>
      journalOf(await answerOf(client.GET('/v1/journal', { params: { query: { from, until } } }))),
    refund: (uid: string, body: Schemas.CreateRefund, wait: number): Promise<Schemas.Refund> =>
      dataOf(client.POST('/v1/payments/{uid}/refunds', { params: { ...to(uid), query: { wait } }, body })),
  };
}

const SCHEDULED_MS = 20_000;

export type Operator = Awaited<ReturnType<typeof createOperator>>;

/** What an operator does in Temporal's UI. */
export async function createOperator(address: string) {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  return {
    /** Runs a schedule now. */
    trigger: async (scheduleId: string): Promise<void> => {
      const handle = client.schedule.getHandle(scheduleId);
      // The connection creates its schedules just after the consent.
      await eventually(
        () =>
          handle.trigger().then(
            () => true,
            (error: unknown) => {
              if (error instanceof ScheduleNotFoundError) return false;
              throw error;
            },
          ),
        Boolean,
        { what: `the schedule ${scheduleId} to exist`, limitMs: SCHEDULED_MS },
      );
    },
    /** Makes the workflow of a float account look for entries. */
    readAgain: (id: string) => client.workflow.getHandle(`float-account/${id}`).signal('floatAccountMoved'),
    close: () => connection.close(),
  };
}
