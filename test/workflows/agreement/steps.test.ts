import { describe, expect, test } from 'vitest';
import { recordFact } from '../../../workflows/agreement/state.js';
import { published } from '../../../workflows/agreement/view.js';
import { aFact } from '../../support/facts.js';
import { failure, fetchedAgreement, nothingNew } from '../../support/workflows/provider.js';
import { DAY, SECOND, inVirtualTime } from '../../support/workflows/virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { Proposal } from '../../../domain/agreement/action.js';

const created: Partial<Activities> = {
  createAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'created')),
  sendCommand: () => Promise.resolve({ outcome: 'accepted' }),
};
const begin = async (given: Partial<Activities> = {}, input = {}) => {
  const scene = inVirtualTime({ ...created, ...given });
  return { scene, agr: await scene.agreement(input) };
};
const amendment = (key = 'a-1') => {
  const body: Proposal = { changes: { description: 'Plan 78' } };
  return { key, command: { kind: 'amendment', body } } as const;
};

describe('an agreement that is started here', () => {
  test('ends failed, with the provider’s code and what to do about it, when the creation is refused', async () => {
    const next = 'Ask the payer for another account.';
    const no = failure('rejected', ['ZPAGR12'], 'account_unusable', next);
    const { agr } = await begin({ createAgreement: () => Promise.reject(no) });
    expect(agr.end()).toMatchObject({ state: 'failed', stateReason: { code: 'ZPAGR12', next } });
    expect(published(agr.state()).details).toContain(`- failed: ZPAGR12. ${next}`);
  });
});

describe('a watch', () => {
  test('measures what is new by what moved the agreement since the last snapshot', async () => {
    const measures: string[] = [];
    const { agr, scene } = await begin({
      watchAgreement: ({ snapshotState }) => {
        measures.push(snapshotState);
        return Promise.reject(nothingNew('50h'));
      },
      lookUpAgreement: ({ uid }) => Promise.resolve(fetchedAgreement(uid, 'active')),
    });
    await agr.receive(aFact('activated'));
    await agr.differs();
    await agr.ask(amendment());
    await scene.pass(5000);
    expect(measures.at(-1)).toBe('active');
    await agr.receive(aFact('suspended', { causedBy: 'debtor' }));
    await scene.pass(5000);
    expect(measures.at(-1)).toBe('suspended');
  });
});

describe('an agreement that was not started here', () => {
  test('is not active before a look says so, however well its event was signed', async () => {
    const { agr } = await begin(
      { adoptAgreement: () => Promise.reject(nothingNew('10h')) },
      { mandate: undefined, connectionId: undefined },
    );
    await agr.receive(aFact('activated'));
    expect(agr.view()).toMatchObject({ state: 'pending', stateSince: agr.state().startedAt });
    const listed = Object.fromEntries(
      published(agr.state()).attributes.map(({ key, value }) => [key.name, value]),
    );
    expect(listed).toMatchObject({ AgreementState: 'pending' });
  });

  test('ends unknown, flagged, when in a whole day no connection shows it', async () => {
    const { agr, scene } = await begin(
      { adoptAgreement: () => Promise.reject(nothingNew('10h')) },
      { mandate: undefined },
    );
    await scene.pass(DAY - SECOND);
    expect(agr.isOver()).toBe(false);
    await scene.pass(SECOND);
    expect(agr.end()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
    expect(scene.calls).toHaveLength(3);
  });
});

async function amending(lookUpAgreement: NonNullable<Activities['lookUpAgreement']>) {
  const { agr, scene } = await begin({ lookUpAgreement });
  await agr.receive(aFact('activated'));
  await agr.ask(amendment());
  expect(agr.view().awaiting.what).toBe('amendment-decision');
  const lookUps = () => scene.calls.filter((name) => name === 'lookUpAgreement').length;
  return { agr, scene, lookUps };
}
const cancelled = () => aFact('cancelled', { publishedAt: '2026-12-01T00:00:00.000Z', causedBy: 'debtor' });

function lateNews() {
  const access = { isGiven: false };
  const late = aFact('suspended', { publishedAt: '2026-12-02T00:00:00.000Z' });
  const lookUpAgreement: Activities['lookUpAgreement'] = ({ uid }) =>
    access.isGiven
      ? Promise.resolve(fetchedAgreement(uid, 'cancelled', [late]))
      : Promise.reject(failure('forbidden'));
  return { access, late, lookUpAgreement };
}

describe('an agreement that is over', () => {
  test.each(['forbidden', 'needs_reauthorisation', 'rejected'])(
    'ends though its last look-up is refused for good (%s), and shows why',
    async (code) => {
      const { agr } = await amending(() => Promise.reject(failure(code)));
      await agr.receive(cancelled());
      const end = agr.end();
      expect(end).toMatchObject({
        state: 'cancelled',
        attention: [{ code: code === 'rejected' ? 'conflict' : code }],
        pending: [],
        actions: [{ stage: 'failed', failure: { code: 'agreement_final' } }],
      });
      expect(end.carried.blocked).toBeUndefined();
    },
  );

  test('ends at once if consent was missing before', async () => {
    const { agr, lookUps } = await amending(() => Promise.reject(failure('needs_reauthorisation')));
    await agr.lookUpNow();
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    await agr.receive(cancelled());
    expect(agr.end()).toMatchObject({ state: 'cancelled', attention: [{ code: 'needs_reauthorisation' }] });
    expect(lookUps()).toBe(1);
  });

  test('asks anew when an event of it comes later, though consent was missing when it ended', async () => {
    const { late, access, lookUpAgreement } = lateNews();
    const { agr, scene } = await amending(lookUpAgreement);
    await agr.receive(cancelled());
    const { carried } = agr.end();
    access.isGiven = true;
    const again = await scene.agreement({ uid: agr.uid, carried: recordFact(carried, late) });
    expect(again.end()).toMatchObject({ state: 'cancelled', attention: [] });
  });

  test('but waits for consent where an event says otherwise', async () => {
    const { late, access, lookUpAgreement } = lateNews();
    const { agr } = await amending(lookUpAgreement);
    await agr.receive(late, cancelled());
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    access.isGiven = true;
    await agr.restored();
    expect(agr.end()).toMatchObject({ state: 'cancelled' });
  });
});
