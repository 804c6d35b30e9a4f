// The lives of agreements in which a rule matters that was made after other lives had been recorded (workflows/entity/rules.ts).
import { agreementFact, lookUpNow, requestAction } from '../../workflows/agreement/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, fastForward } from '../support/temporal.js';
import { A_MANDATE, agreementLook, failure } from '../workflows/provider.js';
import {
  AMEND, A_DAY, SUSPEND, asked, atRest, awaits, counted, firstCommandHeld, happening, living, showing, until,
} from './lives.js'; // prettier-ignore
import type { WorkflowHandle } from '@temporalio/client';
import type { Activities } from '../../activities/index.js';
import type { Stories } from './story.js';

const ask = (handle: WorkflowHandle, key: string, what: typeof SUSPEND) =>
  handle.executeUpdate(requestAction, { args: [{ key, ask: what }] });

/** Looks that show an active agreement once they are let through. */
function held(): Pick<Activities, 'lookUpAgreement'> & { begun: () => Promise<unknown>; letGo: () => void } {
  let looks = 0;
  let letGo: () => void = () => undefined;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  return {
    lookUpAgreement: async (of) => {
      looks += 1;
      await free;
      return showing('active')(of);
    },
    begun: () => eventually(() => Promise.resolve(looks), (count) => count > 0),
    letGo: () => { letGo(); },
  }; // prettier-ignore
}

export const RULE_STORIES: Stories = {
  'amendment-overdue-and-looked-up': (() => {
    const { looks, lookUpAgreement } = counted('active');
    return living({ lookUpAgreement }, async (handle, temporal) => {
      await asked(handle, AMEND);
      await fastForward(temporal.client, handle.workflowId, 5 * A_DAY + 600);
      await until(handle, ({ attention }) => attention.some(({ code }) => code === 'overdue'));
      await handle.executeUpdate(lookUpNow);
      await looks(1);
      await until(handle, awaits('amendment-decision'));
      await handle.signal(agreementFact, aFact('amendment_expired'));
      await until(handle, ({ pending }) => pending.length === 0);
    });
  })(),
  'command-answered-within-the-instant': living({}, async (handle) => {
    const { publishedAt } = aFact('activated');
    const told = aFact('amendment_expired', { publishedAt });
    await handle.signal(agreementFact, told);
    await until(handle, ({ lastFactAt }) => lastFactAt === publishedAt);
    await asked(handle, SUSPEND);
    await handle.signal(agreementFact, aFact('suspended', { publishedAt, causedBy: 'initiator' }));
    await until(handle, ({ pending }) => pending.length === 0);
  }),
  'ended-without-consent-for-the-last-look': living(
    { lookUpAgreement: () => Promise.reject(failure('needs_reauthorisation')) },
    (handle) => asked(handle, AMEND),
  ),
  'command-sent-before-a-look': (() => {
    const { begun, letGo, lookUpAgreement } = held();
    return living({ lookUpAgreement }, async (handle) => {
      await handle.executeUpdate(lookUpNow);
      await begun();
      await ask(handle, 's-1', SUSPEND);
      await until(handle, ({ actions }) => actions[0]?.stage === 'accepted');
      letGo();
      await until(handle, awaits('action-outcome'));
      await handle.signal(agreementFact, aFact('suspended', { causedBy: 'initiator' }));
      await until(handle, ({ pending }) => pending.length === 0);
    });
  })(),
  'next-command-sent-in-turn': (() => {
    const { actOnAgreement, toldBeforeAnswered, letGo } = firstCommandHeld();
    return living({ actOnAgreement }, async (handle) => {
      await toldBeforeAnswered(handle);
      await ask(handle, 'r-1', { kind: 'reactivation', body: {} });
      letGo();
      await until(handle, ({ actions }) => actions[1]?.stage === 'accepted');
      await handle.signal(agreementFact, aFact('reactivated', { causedBy: 'initiator' }));
      await until(handle, ({ pending }) => pending.length === 0);
    });
  })(),
  'look-overtaken-by-an-unknown-event': (() => {
    const { tell, told } = happening();
    let looks = 0;
    let meanwhile: () => Promise<unknown> = () => Promise.resolve();
    const lookUpAgreement: Activities['lookUpAgreement'] = async ({ uid }) => {
      looks += 1;
      const look = agreementLook(uid, 'active', told());
      if (looks === 1) await meanwhile();
      return look;
    };
    return living({ lookUpAgreement }, async (handle) => {
      meanwhile = async () => {
        await tell(handle, 'levitated');
        await until(handle, ({ factCount }) => factCount >= told().length);
      };
      await tell(handle, 'levitated');
      await eventually(() => Promise.resolve(looks), (count) => count === 2); // prettier-ignore
      await until(handle, atRest);
    });
  })(),
  'end-of-validity-taken-away': living(
    {
      lookUpAgreement: ({ uid }) => {
        const { agreement, ...look } = agreementLook(uid, 'active');
        const mandate = { ...A_MANDATE, validity_end_date: null };
        return Promise.resolve({ ...look, agreement: { ...agreement, mandate } });
      },
    },
    async (handle) => {
      await handle.executeUpdate(lookUpNow);
      await until(handle, ({ mandate }) => mandate?.validity_end_date === null);
    },
    () => ({ ...A_MANDATE, validity_end_date: '2090-01-01' }),
  ),
  'watched-after-many-pauses': living({}, async (handle) => {
    for (let count = 0; count < 12; count += 1) {
      await handle.signal(agreementFact, aFact('suspended', { causedBy: 'debtor' }));
      await handle.signal(agreementFact, aFact('reactivated', { causedBy: 'debtor' }));
    }
    await until(handle, ({ factCount }) => factCount >= 25);
    await asked(handle, SUSPEND, 'suspended');
  }),
};
