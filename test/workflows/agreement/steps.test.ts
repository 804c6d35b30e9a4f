import { describe, expect, test } from 'vitest';
import { applyFact } from '../../../workflows/agreement/state.js';
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

describe('agreement created by us', () => {
  test('fails with the provider’s code and advice if the provider refuses it', async () => {
    const next = 'Ask the payer for another account.';
    const no = failure('rejected', ['ZPAGR12'], 'account_unusable', next);
    const { agr } = await begin({ createAgreement: () => Promise.reject(no) });
    expect(agr.end()).toMatchObject({ state: 'failed', stateReason: { code: 'ZPAGR12', next } });
    expect(published(agr.state()).details).toContain(`- failed: ZPAGR12. ${next}`);
  });
});

describe('watch', () => {
  test('compares polls with the latest state of the agreement, also after events', async () => {
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

describe('adopted agreement', () => {
  test('is not active before a look-up shows it, even after an authenticated event', async () => {
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

  test('ends unknown with a flag if no connection finds it within a day', async () => {
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

describe('ended agreement', () => {
  test.each(['forbidden', 'needs_reauthorisation', 'rejected'])(
    'completes and shows a flag if the provider refuses its last look-up (%s)',
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

  test('completes without another look-up if consent was already missing', async () => {
    const { agr, lookUps } = await amending(() => Promise.reject(failure('needs_reauthorisation')));
    await agr.lookUpNow();
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    await agr.receive(cancelled());
    expect(agr.end()).toMatchObject({ state: 'cancelled', attention: [{ code: 'needs_reauthorisation' }] });
    expect(lookUps()).toBe(1);
  });

  test('looks up again after a later event, even if it ended without consent', async () => {
    const { late, access, lookUpAgreement } = lateNews();
    const { agr, scene } = await amending(lookUpAgreement);
    await agr.receive(cancelled());
    const { carried } = agr.end();
    access.isGiven = true;
    const again = await scene.agreement({ uid: agr.uid, carried: applyFact(carried, late) });
    expect(again.end()).toMatchObject({ state: 'cancelled', attention: [] });
  });

  test('waits for consent if another event contradicts its end', async () => {
    const { late, access, lookUpAgreement } = lateNews();
    const { agr } = await amending(lookUpAgreement);
    await agr.receive(late, cancelled());
    expect(agr.view().awaiting.what).toBe('reauthorisation');
    access.isGiven = true;
    await agr.restored();
    expect(agr.end()).toMatchObject({ state: 'cancelled' });
  });
});
