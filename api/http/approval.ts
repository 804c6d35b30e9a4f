// Two people for what is dangerous (DUAL_CONTROL=on): the first request is only stored, and another principal repeats it with the header
// Approval.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import { ApiError } from './problems/errors.js';

const APPROVAL_HEADER = 'Approval';
const ID = /^[0-9a-f]{32}$/;

/**
 * Call it before the operation.
 * @returns who requested it, if another principal approves it with this request. Undefined if one principal is enough.
 * @throws ApiError `approval_required` for the first request, `approval_unknown`, and the refusals of the approval.
 */
export async function approvedRequest(
  c: Context<Env>,
  { temporal, isDualControl, audit }: Pick<ApiDependencies, 'temporal' | 'isDualControl' | 'audit'>,
  operation: string,
): Promise<string | undefined> {
  if (!isDualControl) return undefined;
  const by = c.get('principal');
  const target = c.req.path;
  const digest = createHash('sha256')
    .update(JSON.stringify(await c.req.json()))
    .digest('base64url');
  const id = c.req.header(APPROVAL_HEADER);
  const note = (action: string, approval: string): void =>
    audit.note(c, { action, outcome: 'done', target, details: { operation, approval } });
  if (id === undefined) {
    const own = createHash('sha256').update(JSON.stringify([operation, target, digest, by]));
    const approval = own.digest('hex').slice(0, 32);
    const { expiresAt } = await temporal.approvals.request(approval, {
      ...{ operation, target, digest },
      requestedBy: by,
    });
    note('requestApproval', approval);
    throw required(approval, expiresAt);
  }
  const found = ID.test(id)
    ? await temporal.approvals.approve(id, { operation, target, digest, by })
    : undefined;
  if (found === undefined)
    throw new ApiError(
      'approval_unknown',
      'There is no such approval, or its day has ended. Make a new request.',
      {
        errors: [{ header: APPROVAL_HEADER, detail: 'expected the id of a pending approval' }],
      },
    );
  note('approve', id);
  return found.requestedBy;
}

/** Whether the request approves another one. */
export const isApproval = (c: Context<Env>): boolean => c.req.header(APPROVAL_HEADER) !== undefined;

/** Names both principals for the records. */
export const namesOf = (requestedBy: string | undefined, by: string): string =>
  requestedBy === undefined ? by : `${requestedBy}, approved by ${by}`;

const required = (id: string, expiresAt: string): ApiError =>
  new ApiError(
    'approval_required',
    `Nothing was changed: another principal must approve this by ${expiresAt}. It sends the same request with the header ` +
      `${APPROVAL_HEADER}: ${id}.`,
    { errors: [{ header: APPROVAL_HEADER, detail: `expected ${id}, from another principal` }] },
  );
