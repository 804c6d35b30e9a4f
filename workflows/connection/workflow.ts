// One per OAuth grant: the only owner of its rotating tokens, which it keeps sealed (docs/custody.md#the-life-of-a-token).
// In:  api/temporal/ begins, completes and revokes consent; activities ask for a newer generation.
// Out: workflows/connection/steps.ts and consent.ts, which call activities.
import { setHandler } from '@temporalio/workflow';
import { cellOf, follow } from '../entity/loop.js';
import {
  continueOnCurrentRelease,
  flagCancelRequest,
  listenForHandOver,
  temporalRuntime,
} from '../entity/temporal.js';
import { carry, upgrade } from '../entity/upgrade.js';
import { assertOpen, generationBeyond, openRound, takeConsent } from './consent.js';
import * as contract from './contract.js';
import { newConnection, withRevocation, withRotated } from './state.js';
import { CONNECTION } from './steps.js';
import { accessOf, viewOf } from './view.js';

export async function connection(input: contract.ConnectionInput): Promise<void> {
  const { carried } = input;
  const runtime = temporalRuntime();
  const cell = cellOf(carried === undefined ? newConnection(input.id, runtime.now()) : upgrade(carried));
  listenForHandOver(cell);
  flagCancelRequest(cell, `To give the grant up: POST /v1/connections/${input.id}/revocation.`);
  const { read, change } = cell;
  setHandler(contract.getConnection, () => viewOf(read()));
  setHandler(contract.getAccess, () => accessOf(read()));
  setHandler(contract.tokensRotated, (tokens) => {
    change((state) => withRotated(state, tokens));
  });
  setHandler(contract.beginConsent, (asked?: contract.ConsentAsked) => openRound(cell, runtime.now(), asked));
  setHandler(contract.completeConsent, (answer) => takeConsent(cell, runtime, answer), {
    validator: (answer: contract.ConsentAnswer) => {
      assertOpen(read(), answer, runtime.now());
    },
  });
  setHandler(contract.revokeConnection, (revocation) => {
    change((state) => withRevocation(state, runtime.now(), revocation));
    return viewOf(read());
  });
  setHandler(contract.ensureGeneration, ({ after }) => generationBeyond(cell, runtime, after));

  await follow(CONNECTION, cell, runtime);
  return continueOnCurrentRelease<typeof connection>({ id: read().id, carried: carry(read()) });
}
