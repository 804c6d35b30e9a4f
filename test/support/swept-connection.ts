import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  AGREEMENT_WORKFLOW,
  agreementWorkflowId,
  type AgreementInput,
} from '../../workflows/agreement/contract.js';
import { newAgreement, type AgreementState } from '../../workflows/agreement/state.js';
import { CONNECTION_ID } from '../../workflows/contracts/search-attributes.js';
import { SWEEP_WORKFLOW, sweepId, type SweepEnd } from '../../workflows/sweep/contract.js';
import { providerOf } from './over-http.js';
import { anAgreement, openHttpStack, type HttpStack, type HttpStackOptions } from './http-stack.js';
import { carry } from '../../workflows/contracts/upgrade.js';
import { eventually, type Temporal } from './temporal.js';
import { A_MANDATE, fetchedAgreement } from './workflows/provider.js';
import { shown } from './workflows/agreement-states.js';

const AT_A_TIME = 10;

export interface SweptConnection {
  http: HttpStack;
  temporal: Temporal;
  taskQueue: string;
  connection: string;
}

export async function withSweptConnection(
  temporal: Temporal,
  work: (swept: SweptConnection) => Promise<void>,
  { isConsented = true, ...over }: HttpStackOptions & { isConsented?: boolean } = {},
): Promise<void> {
  const { taskQueue } = temporal;
  const connection = `con-${randomUUID()}`;
  const http = await openHttpStack(temporal, taskQueue, Date.now, over);
  const swept = { http, temporal, taskQueue, connection };
  try {
    const goAlong = async () => {
      http.sandbox.control.addFault({ on: 'webhook', do: 'lose' });
      if (isConsented) expect((await http.consent(connection)).data).toMatchObject({ status: 'healthy' });
      else await http.backend.connect(connection);
      await work(swept);
    };
    await temporal.run(http.activities, goAlong);
  } finally {
    await http.close();
  }
}

export const startSweep = ({ temporal, taskQueue, connection }: SweptConnection) =>
  temporal.client.workflow.start(SWEEP_WORKFLOW, {
    taskQueue,
    workflowId: `${sweepId(connection)}-${randomUUID()}`,
    args: [{ connectionId: connection }],
    typedSearchAttributes: [{ key: CONNECTION_ID, value: connection }],
  });

export const sweepOnce = async (swept: SweptConnection): Promise<SweepEnd> => {
  const report: unknown = await (await startSweep(swept)).result();
  return report as SweepEnd;
};

export async function atTheProvider({ http }: SweptConnection, count: number): Promise<string[]> {
  const [accessToken = ''] = http.issued;
  const { sandbox } = http;
  const api = providerOf(http);
  const uids = Array.from({ length: count }, (_, index) => `agr-${index}-${randomUUID()}`);
  for (const uid of uids) {
    const { debtor } = anAgreement(uid);
    await api.createAgreement(
      { ...A_MANDATE, uid, debtor, payment_terms: { type: 'variable', frequency: 'adhoc' } },
      { accessToken },
    );
  }
  const waiting = () => sandbox.control.state().agreements.filter(({ state }) => state !== 'active').length;
  await eventually(
    () => Promise.resolve(waiting()),
    (left) => left === 0,
  );
  return uids;
}

export const stateShowing = (connectionId: string, uid: string, state: string): AgreementState =>
  shown(
    newAgreement({ uid, connectionId, mandate: A_MANDATE }, new Date().toISOString()),
    fetchedAgreement(uid, state),
  );

export async function here(swept: SweptConnection, states: readonly AgreementState[]): Promise<void> {
  const { temporal, taskQueue, connection } = swept;
  const before = await listed(swept);
  const start = (carried: AgreementState) => {
    const { uid } = carried;
    const input: AgreementInput = { uid, carried: carry(carried) };
    return temporal.client.workflow.start(AGREEMENT_WORKFLOW, {
      taskQueue,
      workflowId: agreementWorkflowId(uid),
      args: [input],
      typedSearchAttributes: [{ key: CONNECTION_ID, value: connection }],
    });
  };
  for (let from = 0; from < states.length; from += AT_A_TIME)
    await Promise.all(states.slice(from, from + AT_A_TIME).map(start));
  await eventually(
    () => listed(swept),
    (count) => count === before + states.length,
  );
}

export const listed = async ({ temporal, connection }: SweptConnection): Promise<number> => {
  const query = `WorkflowType = '${AGREEMENT_WORKFLOW}' AND ConnectionId = '${connection}' AND AgreementState IS NOT NULL`;
  return (await temporal.client.workflow.count(query)).count;
};

export const callsTo = ({ http }: SweptConnection, operation: string): number =>
  http.sandbox.control.ledger(0, { kind: 'call', operation }).length;

export const hasSchedule = ({
  temporal,
  connection,
}: Pick<SweptConnection, 'temporal' | 'connection'>): Promise<boolean> =>
  temporal.client.schedule
    .getHandle(sweepId(connection))
    .describe()
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof Error && error.name === 'ScheduleNotFoundError') return false;
      throw error;
    });
