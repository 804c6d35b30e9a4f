// Claims a business for one client, so that no two clients register it.
import {
  REGISTRATION_WORKFLOW,
  claim,
  registrationWorkflowId,
  type Claim,
  type RegistrationInput,
} from '../workflows/registration/contract.js';
import { clientWorkflowId, type ClientEnd } from '../workflows/client/contract.js';
import { CONNECTION_ID } from '../workflows/contracts/search-attributes.js';
import type { ClientOrder } from '../domain/client/request.schema.js';
import type { RecordMemory } from '../domain/records/remembered.js';
import { awaits, ifFound, isStarted } from './open.js';
import type { Destination } from './reopen.js';

interface Claimed {
  connectionId: string;
  order: Pick<ClientOrder, 'australian_business_number' | 'australian_company_number'>;
  /** The uid of the client that claims the business. */
  uid: string;
}

/** How many successive owners may have ended without a registration. */
const ATTEMPTS = 5;

/**
 * Claims a business for a client. Idempotent. Throws the errors of the records, which decide if Temporal has forgotten the owner.
 * @returns the uid of the client that owns the business. Only this client may be started.
 */
export async function claimBusiness(
  destination: Destination,
  claimed: Claimed,
  records: RecordMemory,
): Promise<string> {
  const { uid } = claimed;
  if (await claimFirst(destination, claimed)) return uid;
  let owner = await send(destination, claimed, { uid });
  for (let attempt = 1; attempt < ATTEMPTS && owner !== uid; attempt += 1) {
    if (!(await endedUnregistered(destination, records, owner))) return owner;
    owner = await send(destination, claimed, { uid, insteadOf: owner });
  }
  return owner;
}

/** Makes one quick call without a worker. @returns whether this is the first claim of the business, or it has no number. */
export async function claimFirst({ client, taskQueue }: Destination, claimed: Claimed): Promise<boolean> {
  const workflowId = registrationWorkflowId(claimed.connectionId, claimed.order);
  if (workflowId === undefined) return true;
  const input: RegistrationInput = { owner: claimed.uid };
  return isStarted(
    client.workflow.start(REGISTRATION_WORKFLOW, {
      workflowId,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `Registration of a business on connection ${claimed.connectionId}`,
      typedSearchAttributes: [...awaits('nothing'), { key: CONNECTION_ID, value: claimed.connectionId }],
    }),
  );
}

const send = ({ client }: Destination, { connectionId, order }: Claimed, request: Claim): Promise<string> =>
  client.workflow
    .getHandle(registrationWorkflowId(connectionId, order) ?? '')
    .executeUpdate(claim, { args: [request] });

const UNREGISTERED: ClientEnd['state'] = 'failed';

/** A client with an unknown outcome, or one that was not started yet, still owns the business. */
async function endedUnregistered(
  { client }: Destination,
  { remembered }: RecordMemory,
  uid: string,
): Promise<boolean> {
  const run = await ifFound(client.workflow.getHandle(clientWorkflowId(uid)).describe());
  if (run === undefined) {
    const found = await remembered('client', uid);
    return found?.is === 'gone' || found?.state === UNREGISTERED;
  }
  if (run.status.name !== 'COMPLETED') return false;
  const ended = client.workflow.getHandle<() => Promise<ClientEnd>>(clientWorkflowId(uid), run.runId);
  return (await ifFound(ended.result()))?.state === UNREGISTERED;
}
