// Random stories for agreements on the whole road: what the payer, the provider, callers and the network do, one step at a time.
import fc from 'fast-check';
import type { Control } from '../../../sandbox/control/contract.js';

type Fault = Parameters<Control['addFault']>[0];
type Script = Parameters<Control['scriptAction']>[1];
export type PayerAction = Parameters<Control['actAsPayer']>[1];
export type ServiceAction = Parameters<Control['actAsService']>[1];

const KINDS = ['suspension', 'reactivation', 'cancellation', 'amendment', 'amendment/recall'] as const;
export type Asked = (typeof KINDS)[number];

export type Step =
  | { do: 'payer'; action: PayerAction }
  | { do: 'service'; action: ServiceAction }
  /** `copies`: the same request with the same key, so often at once. */
  | { do: 'ask'; kind: Asked; maxAmount: number; copies: number }
  | { do: 'look_up' }
  | { do: 'script'; script: Script }
  | { do: 'fault'; fault: Fault }
  /** The payer pauses and resumes it so often, faster than anyone can tell. */
  | { do: 'restless'; times: number }
  /** The provider's clock moves on, for all agreements at once. */
  | { do: 'advance'; seconds: number }
  | { do: 'pause'; ms: number };

export interface Story {
  /** How the payer answers at first. */
  payer: 'debtor_accept' | 'debtor_decline' | 'ignore' | 'expire' | 'debtor_alias_not_found';
  steps: Step[];
}

const PAYER: readonly PayerAction[] = [
  'accept',
  'accept',
  'suspend',
  'suspend',
  'reactivate',
  'reactivate',
  'cancel',
  'accept_amendment',
  'accept_amendment',
  'decline_amendment',
];
const SERVICE: readonly ServiceAction[] = ['service_suspend', 'service_cancel', 'expire'];
const SCRIPTS: readonly Script[] = [
  { action: 'suspension', simulate: 'suspension_failed' },
  { action: 'suspension', simulate: 'agreement_cancelled' },
  { action: 'suspension', simulate: 'successful_suspension', delay: 2 },
  { action: 'reactivation', simulate: 'reactivation_failed', delay: 1 },
  { action: 'cancellation', simulate: 'cancellation_failed' },
  { action: 'amendment', simulate: 'ignore' },
  { action: 'amendment', simulate: 'ignore' },
  { action: 'amendment', simulate: 'debtor_decline', delay: 1 },
  { action: 'amendment', simulate: 'amendment_failed' },
  { action: 'recall', simulate: 'recall_failed' },
  { action: 'recall', simulate: 'amendment_applied' },
];
const once = { times: 1 } as const;
const FAULTS: readonly Fault[] = [
  ...(
    [
      'suspend_agreement',
      'reactivate_agreement',
      'cancel_agreement',
      'amend_agreement',
      'recall_amendment',
    ] as const
  ).flatMap((on): Fault[] => [
    { on, do: 'cut_after_commit', ...once },
    { on, do: 'error_500_after_commit', ...once },
    { on, do: 'cut_before_commit', ...once },
    { on, do: 'slow', delay_ms: 800, ...once },
  ]),
  { on: 'get_agreement', do: 'error_503', times: 2 },
  { on: 'get_agreement', do: 'read_lag', lag_seconds: 3, ...once },
  { on: 'agreement_history', do: 'malformed_json', ...once },
  { on: 'agreement_history', do: 'slow', delay_ms: 500, ...once },
  { on: 'webhook', do: 'lose', times: 1 },
  { on: 'webhook', do: 'lose', times: 3 },
  { on: 'webhook', do: 'lose', share: 0.5 },
  { on: 'webhook', do: 'repeat', copies: 2, times: 2 },
  { on: 'webhook', do: 'delay', delay_seconds: 3, times: 2 },
  { on: 'webhook', do: 'reorder', ...once },
  { on: 'webhook', do: 'bad_signature', ...once },
  { on: 'webhook', do: 'unknown_type', ...once },
];

const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...PAYER).map((action): Step => ({ do: 'payer', action })) },
  { weight: 1, arbitrary: fc.constantFrom(...SERVICE).map((action): Step => ({ do: 'service', action })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...KINDS, 'suspension', 'amendment', 'amendment'),
        fc.constantFrom(10_000, 30_000, 40_000),
        fc.constantFrom(1, 1, 3),
      )
      .map(([kind, maxAmount, copies]): Step => ({ do: 'ask', kind, maxAmount, copies })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'look_up' }) },
  { weight: 3, arbitrary: fc.constantFrom(...SCRIPTS).map((script): Step => ({ do: 'script', script })) },
  { weight: 5, arbitrary: fc.constantFrom(...FAULTS).map((fault): Step => ({ do: 'fault', fault })) },
  { weight: 1, arbitrary: fc.constantFrom(2, 12).map((times): Step => ({ do: 'restless', times })) },
  { weight: 1, arbitrary: fc.constantFrom(1, 60, 7300).map((seconds): Step => ({ do: 'advance', seconds })) },
  { weight: 5, arbitrary: fc.integer({ min: 10, max: 1500 }).map((ms): Step => ({ do: 'pause', ms })) },
);

const someStory: fc.Arbitrary<Story> = fc.record({
  payer: fc.oneof(
    { weight: 9, arbitrary: fc.constant('debtor_accept' as const) },
    { weight: 2, arbitrary: fc.constant('ignore' as const) },
    { weight: 1, arbitrary: fc.constantFrom('debtor_decline', 'expire', 'debtor_alias_not_found') },
  ),
  steps: fc.array(someStep, { minLength: 8, maxLength: 24, size: 'max' }),
});

/** The same stories again for the same seed. */
export const storiesFrom = (seed: number, count: number): Story[] =>
  fc.sample(fc.noBias(someStory), { seed, numRuns: count });
