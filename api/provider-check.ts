// What our own client would not send is refused before anything is accepted: by the very function that the client uses.
// In:  api/routes/*.ts. Out: payments-api/requests/intended.ts.
import { faultsOf } from '../payments-api/requests/intended.js';
import type { Intended } from '../payments-api/requests/intended.js';
import type { ApiDependencies } from './dependencies.js';
import { ApiError } from './errors.js';
import type { FieldProblem } from './problems.js';
import { pointerTo } from './validation.js';

/**
 * Resolves where it may be sent, or was accepted before: a repeat gets its first answer, whatever is no longer taken by now.
 * @param isRepeat whether there is something of that name already, which then judges the repeat.
 * @throws ApiError `provider_would_refuse`, with each field and the version of the provider's API.
 */
export async function assertSendable(
  { providerVersion: version, clock }: Pick<ApiDependencies, 'providerVersion' | 'clock'>,
  intended: Intended,
  isRepeat: () => Promise<boolean>,
): Promise<void> {
  const faults = faultsOf(intended, { version, now: () => new Date(clock.now()) });
  if (faults.length === 0 || (await isRepeat())) return;
  const detail = `Expected a request that version ${version} of the payments API takes; nothing was sent.`;
  throw new ApiError('provider_would_refuse', detail, {
    errors: faults.map(({ path, detail: expected }) => ({ pointer: pointerTo(path), detail: expected })),
    providerVersion: version,
  });
}

/** More would only repeat itself. */
const MAX_ERRORS = 50;

/**
 * The same of the rows of a batch.
 * @param late rows that could not be sent in their time.
 * @throws ApiError `provider_would_refuse`, with each field of each row.
 */
export async function assertAllSendable(
  { providerVersion: version, clock }: Pick<ApiDependencies, 'providerVersion' | 'clock'>,
  rows: readonly Intended[],
  late: readonly { row: number; detail: string }[],
  isRepeat: () => Promise<boolean>,
): Promise<void> {
  const now = () => new Date(clock.now());
  const errors: FieldProblem[] = rows.flatMap((intended, row) =>
    faultsOf(intended, { version, now }).map(({ path, detail }) => ({
      pointer: pointerTo(['rows', row, ...path]),
      detail,
    })),
  );
  errors.push(...late.map(({ row, detail }) => ({ pointer: `/rows/${row}/submit_before`, detail })));
  if (errors.length === 0 || (await isRepeat())) return;
  const detail = `Expected rows that version ${version} of the payments API takes; nothing was begun.`;
  throw new ApiError('provider_would_refuse', detail, {
    errors: errors.slice(0, MAX_ERRORS),
    providerVersion: version,
  });
}
