// API calls that only this demo makes: float accounts, unmatched credits and reconciliation.
import { Client, Connection, ScheduleNotFoundError } from '@temporalio/client';
import { boundedClient, dataOf } from '../../api/client.js';
import { eventually } from '../../api/waiting.js';
import { answerOf } from '../../../client/create.js';
import type * as Schemas from '../../../client/create.js';

export type FloatAccount = Schemas.FloatAccount;
export type UnmatchedCredit = Schemas.UnmatchedCredit;
export type UnmatchedCreditDetail = Schemas.UnmatchedCreditWithCandidates;
export type Statement = Schemas.FloatStatement;
export type Reconciliation = Schemas.Reconciliation;

export interface FloatCalls {
  account(id: string): Promise<FloatAccount | undefined>;
  credits(): Promise<UnmatchedCredit[]>;
  credit(uid: string): Promise<UnmatchedCreditDetail>;
  resolve(uid: string, body: Schemas.ResolveCredit): Promise<UnmatchedCredit>;
  statement(id: string, day: string): Promise<Statement>;
  reconcile(day: string): Promise<Reconciliation>;
  refund(paymentUid: string, body: Schemas.CreateRefund, waitSeconds: number): Promise<Schemas.Refund>;
}

/** @param signal aborts all pending calls. */
export function createFloatCalls(url: string, apiKey: string, signal: AbortSignal): FloatCalls {
  const client = boundedClient(url, apiKey, signal);
  const to = (uid: string) => ({ path: { uid } });
  return {
    account: async (id) => {
      const accounts = await dataOf(client.GET('/v1/float-accounts', { params: { query: {} } }));
      return accounts.find(({ uid }) => uid === id);
    },
    credits: () => dataOf(client.GET('/v1/unmatched-credits', { params: { query: { per_page: 100 } } })),
    credit: (uid) => dataOf(client.GET('/v1/unmatched-credits/{uid}', { params: to(uid) })),
    resolve: (uid, body) =>
      dataOf(client.POST('/v1/unmatched-credits/{uid}/resolution', { params: to(uid), body })),
    statement: async (uid, day) => {
      const call = client.GET('/v1/float-accounts/{uid}/statements/{day}', {
        params: { path: { uid, day } },
      });
      const answer = await answerOf<{ data: Statement } | string>(call);
      if (typeof answer === 'string') throw new Error('expected a statement as JSON, received CSV');
      return answer.data;
    },
    reconcile: (day) =>
      dataOf(client.GET('/v1/reconciliation/{day}', { params: { path: { day }, query: {} } })),
    refund: (uid, body, wait) =>
      dataOf(client.POST('/v1/payments/{uid}/refunds', { params: { ...to(uid), query: { wait } }, body })),
  };
}

const SCHEDULED_MS = 20_000;

/** What an operator does in Temporal's UI. */
export interface Operator {
  /** Runs a schedule now. */
  trigger(scheduleId: string): Promise<void>;
  /** Makes the workflow of a float account look for entries. */
  readAgain(accountId: string): Promise<void>;
  close(): Promise<void>;
}

export async function createOperator(address: string): Promise<Operator> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection });
  return {
    trigger: async (scheduleId) => {
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
    readAgain: (id) => client.workflow.getHandle(`float-account/${id}`).signal('floatAccountMoved'),
    close: () => connection.close(),
  };
}
