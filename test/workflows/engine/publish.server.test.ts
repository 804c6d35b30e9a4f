import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  AGREEMENT_WORKFLOW,
  agreementFact,
  agreementWorkflowId,
  getAgreement,
} from '../../../workflows/agreement/contract.js';
import {
  AGREEMENT_STATE,
  AGREEMENT_UID,
  ATTENTION,
  AWAITING,
  AWAITING_SINCE,
  CONNECTION_ID,
} from '../../../workflows/contracts/search-attributes.js';
import { aFact } from '../../support/facts.js';
import { eventually, fastForward, useTemporal } from '../../support/temporal.js';
import { A_MANDATE, fetchedAgreement, only } from '../../support/workflows/provider.js';
import { z } from 'zod';

const temporal = useTemporal();
/** Of a step that an event mostly ends soon. Until its end, nothing is published. */
const PAUSE_SECONDS = 5;
const Metadata = z.object({ currentDetails: z.string() });

test('an agreement publishes its state and awaited event as search attributes and details', async () => {
  const created = only({ createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')) });
  await temporal.run(created, async () => {
    const { client, taskQueue } = temporal;
    const uid = `agr-${randomUUID()}`;
    const workflowId = agreementWorkflowId(uid);
    const args = [{ uid, connectionId: 'acme', mandate: A_MANDATE }];
    const handle = await client.workflow.start(AGREEMENT_WORKFLOW, { taskQueue, workflowId, args });
    const attributesWhen = async (state: string) => {
      const attributes = async () => (await handle.describe()).typedSearchAttributes;
      return eventually(attributes, (seen) => seen.get(AGREEMENT_STATE) === state);
    };
    const words = async () =>
      Metadata.parse(await handle.query('__temporal_workflow_metadata')).currentDetails;

    await fastForward(client, workflowId, PAUSE_SECONDS);
    const asked = await attributesWhen('created');
    const { awaiting } = await handle.query(getAgreement);
    expect(awaiting.what).toBe('payer-decision');
    expect(asked.get(AWAITING)).toBe('payer-decision');
    expect(asked.get(AWAITING_SINCE)).toEqual(new Date(awaiting.since));
    expect([asked.get(AGREEMENT_UID), asked.get(CONNECTION_ID)]).toEqual([uid, 'acme']);
    expect(asked.get(ATTENTION)).toBeUndefined();
    const since = `${awaiting.since.slice(0, 19).replace('T', ' ')} UTC`;
    expect(await words()).toContain(`### Agreement ${uid} is created`);
    expect(await words()).toContain(`**Waiting for the payer's decision**, since ${since}, until `);

    await handle.signal(agreementFact, aFact('activated'));
    const active = await attributesWhen('active');
    expect(active.get(AWAITING)).toBe('nothing');
    expect(await words()).toContain(`### Agreement ${uid} is active`);
    expect(await words()).toContain('**Nothing is pending**');
  });
});
