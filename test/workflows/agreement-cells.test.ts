// Every command in every state, asked of a workflow on a real server: its validator refuses with the code expected, or takes it.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { getAgreement, requestAction } from '../../workflows/agreement/contract.js';
import { newAgreement } from '../../workflows/agreement/state.js';
import { asking } from '../model/commands.js';
import { KINDS, STATES, expectedAnswer } from '../model/expectations.js';
import { isFinal } from '../model/provider-model.js';
import { useTemporal } from '../support/temporal.js';
import { A_MANDATE, failure, only, refusalIn } from './provider.js';
import { startAgreement, untilAgreement } from './starting.js';
import type { Activities } from '../../activities/index.js';
import type { State } from '../model/provider-model.js';

const temporal = useTemporal();

/** The provider takes nothing, so each command is over before the next one is asked; and a look never ends. */
const provider: Partial<Activities> = {
  actOnAgreement: () => Promise.reject(failure('rejected', ['ZPUNP00'])),
  lookUpAgreement: () => new Promise(() => undefined),
};

/** One that a run before has brought there. What is over is still open here, since a look is under way. */
function inState(state: State) {
  const uid = `agr-${randomUUID()}`;
  const fresh = newAgreement({ uid, connectionId: 'acme', mandate: A_MANDATE }, new Date().toISOString());
  const carried = { ...fresh, stage: 'open', start: state, doubts: isFinal(state) ? 1 : 0 } as const;
  return startAgreement(temporal, { uid, carried });
}

describe('a command asked of the workflow of an agreement', () => {
  test.each(STATES)('that is %s', async (state) => {
    await temporal.run(only(provider), async () => {
      const handle = await inState(state);
      expect(await handle.query(getAgreement)).toMatchObject({ state });
      for (const kind of KINDS) {
        const request = { key: randomUUID(), ask: asking(kind, 30_000) };
        const taken = handle.executeUpdate(requestAction, { args: [request] });
        const answer = await taken.then(({ stage }) => (stage === 'asked' ? 'taken' : stage), refusalIn);
        const expected = expectedAnswer({ state, isPausedByPayer: false, open: [] }, kind);
        expect({ kind, answer }).toEqual({ kind, answer: expected });
        await untilAgreement(handle, ({ actions }) => actions.every(({ stage }) => stage === 'refused'));
      }
      await handle.terminate('seen');
    });
  });
});
