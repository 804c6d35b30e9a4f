// One workflow per OAuth grant. It alone owns the tokens, and stores them sealed (docs/custody.md#the-life-of-a-token).
import { flagCancelRequest } from '../engine/flags.js';
import { runEntity } from '../on-temporal/entity.js';
import { continueOnCurrentRelease } from '../on-temporal/run.js';
import { carry, restoreState } from '../contracts/upgrade.js';
import { messages, type ConnectionInput } from './contract.js';
import { HANDLERS } from './handlers.js';
import { newConnection } from './state.js';
import { CONNECTION } from './steps.js';

export async function connection({ id, carried }: ConnectionInput): Promise<void> {
  const { state } = await runEntity({
    definition: CONNECTION,
    messages,
    handlers: HANDLERS,
    begin: (now) => restoreState(carried, () => newConnection(id, now)),
    cancelRequested: flagCancelRequest(`To revoke the grant: POST /v1/connections/${id}/revocation.`),
  });
  return continueOnCurrentRelease<typeof connection>({ id, carried: carry(state) });
}
