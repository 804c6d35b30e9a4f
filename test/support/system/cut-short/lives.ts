import { expect } from 'vitest';
import { agreementWorkflowId } from '../../../../workflows/agreement/contract.js';
import { anAgreement } from '../../http-stack.js';
import { eventually, fastForward } from '../../temporal.js';
import { COMMANDS_CUT_SHORT } from './commands.js';
import { activeOne, readsOf, type Life, type Scene } from './scene.js';
import type { Hold } from '../../http-proxy.js';

const TEN_DAYS = 10 * 86_400;

export const CUT_SHORT: Readonly<Record<Hold, string>> = {
  before: 'that the provider has not received',
  after: 'whose answer the killed worker missed',
  late: 'that the provider receives after its own retry',
};

const creation = (how: Hold): Life => ({
  name: `a creation ${CUT_SHORT[how]}`,
  step: 'provider-acceptance',
  enter: async ({ road, gate, connection }, uid) => {
    const hasArrived = gate.hold({ method: 'POST', ending: '/payto/agreements', uid, how });
    await road.backend.create(anAgreement(uid, { connection }), 0);
    return hasArrived;
  },
  isLate: how === 'late',
  end: { state: 'active', adopted: false },
  once: ['activated'],
});

export const paymentUnder = (uid: string): string => `pay-${uid}`;

const payment = (how: Hold): Life => ({
  name: `a payment ${CUT_SHORT[how]}`,
  step: 'nothing',
  enter: async (scene, uid) => {
    const { road, gate } = scene;
    await activeOne(scene, uid);
    const hasArrived = gate.hold({
      method: 'POST',
      ending: '/payto/payments',
      uid: paymentUnder(uid),
      how,
    });
    await road.backend.pay(uid, { uid: paymentUnder(uid), amount: 4200 });
    return hasArrived;
  },
  end: { state: 'active' },
  once: ['activated'],
});

const continuation = (ending: (uid: string) => string, how: Hold): Life => ({
  name: `a look-up of an agreement that continues from its record ${CUT_SHORT[how]}`,
  step: 'look-up',
  enter: async (scene, uid) => {
    const { road, gate, temporal } = scene;
    await activeOne(scene, uid);
    await temporal.workflow.getHandle(agreementWorkflowId(uid)).terminate('lost for this test');
    const hasArrived = gate.hold({ method: 'GET', ending: ending(uid), uid, how });
    road.sandbox.control.actAsPayer(uid, 'suspend');
    return hasArrived;
  },
  end: { state: 'suspended', adopted: false, requested_by: 'test' },
  once: ['activated', 'suspended'],
});

async function awaitingPayer({ road, connection }: Scene, uid: string): Promise<void> {
  road.sandbox.control.scriptPayer(uid, { simulate: 'ignore' });
  await road.backend.create(anAgreement(uid, { connection }), 0);
}

async function suspendedLater({ road }: Scene, uid: string): Promise<void> {
  const simulate = 'successful_suspension';
  road.sandbox.control.scriptAction(uid, { action: 'suspension', simulate, delay: 300 });
  const why = { reason: 'initiating_party_requested', narrative: 'As agreed' } as const;
  await road.backend.suspend(uid, why, { wait: 0 });
}

const loseWebhooks = ({ road }: Scene, uid: string): void =>
  void road.sandbox.control.addFault({ on: 'webhook', do: 'lose', resource_uid: uid });

export const LIVES: readonly Life[] = [
  creation('before'),
  creation('after'),
  creation('late'),
  payment('before'),
  payment('after'),
  continuation((uid) => `/${uid}`, 'before'),
  continuation(() => '/history', 'after'),
  ...COMMANDS_CUT_SHORT,
  {
    name: 'a look-up during a change by the payer without a webhook',
    step: 'look-up',
    enter: async (scene, uid) => {
      await activeOne(scene, uid);
      loseWebhooks(scene, uid);
      const hasArrived = scene.gate.hold({ method: 'GET', ending: `/${uid}`, uid, how: 'after' });
      await scene.road.backend.lookUp(uid);
      return hasArrived;
    },
    meanwhile: ({ road }, uid) => road.sandbox.control.actAsPayer(uid, 'suspend'),
    end: { state: 'suspended', state_caused_by: 'debtor' },
    once: ['activated', 'suspended'],
  },
  {
    name: 'a watch for the payer during a look-up, with no webhook of the decision',
    step: 'payer-decision',
    enter: async (scene, uid) => {
      loseWebhooks(scene, uid);
      const hasArrived = scene.gate.hold({ method: 'GET', ending: `/${uid}`, uid, how: 'before' });
      await awaitingPayer(scene, uid);
      return hasArrived;
    },
    meanwhile: ({ road }, uid) => road.sandbox.control.actAsPayer(uid, 'accept'),
    end: { state: 'active' },
    once: ['activated'],
  },
  {
    name: 'a watch for the payer between two look-ups, with the decision sent while no worker runs',
    step: 'payer-decision',
    enter: async (scene, uid) => {
      await awaitingPayer(scene, uid);
      return () => readsOf(scene, uid) > 0;
    },
    meanwhile: ({ road }, uid) => road.sandbox.control.actAsPayer(uid, 'decline'),
    end: { state: 'declined' },
    once: ['declined'],
  },
  {
    name: 'a watch for an outcome during a look-up, with no webhook of the outcome',
    step: 'action-outcome',
    enter: async (scene, uid) => {
      await activeOne(scene, uid);
      loseWebhooks(scene, uid);
      const hasArrived = scene.gate.hold({ method: 'GET', ending: '/history', uid, how: 'after' });
      await suspendedLater(scene, uid);
      return hasArrived;
    },
    end: { state: 'suspended', actions: [{ kind: 'suspension', stage: 'done' }] },
    once: ['activated', 'suspended'],
  },
  {
    name: 'a watch for an outcome between two look-ups, with the outcome sent while no worker runs',
    step: 'action-outcome',
    enter: async (scene, uid) => {
      await activeOne(scene, uid);
      const before = readsOf(scene, uid);
      await suspendedLater(scene, uid);
      return () => readsOf(scene, uid) > before;
    },
    end: { state: 'suspended', actions: [{ kind: 'suspension', stage: 'done' }] },
    once: ['activated', 'suspended'],
  },
  {
    name: 'a deadline that passes while no worker runs',
    step: 'nothing',
    enter: async (scene, uid) => {
      const day = new Date(Date.now() + TEN_DAYS * 1000).toISOString().slice(0, 10);
      await activeOne(scene, uid, { validity_end_date: day });
      return () => true;
    },
    meanwhile: ({ temporal, passing }, uid) =>
      void passing.push(fastForward(temporal, agreementWorkflowId(uid), 2 * TEN_DAYS)),
    isAsked: true,
    end: { state: 'active' },
    once: ['activated'],
  },
  {
    name: 'a wait for consent that is given after a new worker starts',
    step: 'reauthorisation',
    enter: async ({ road }, uid) => {
      await road.backend.connect(uid);
      await road.backend.create(anAgreement(uid, { connection: uid }), 0);
      return () => true;
    },
    afterwards: async ({ road }, uid) => {
      await eventually(
        () => road.backend.connect(uid),
        ({ status }) => status === 200,
      );
      expect((await road.consent(uid)).data).toMatchObject({ status: 'healthy' });
    },
    end: { state: 'active' },
    once: ['activated'],
  },
];
