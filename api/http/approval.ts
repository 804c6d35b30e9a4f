// Two people for what is dangerous (DUAL_CONTROL=on). The first request is only stored. Another principal sends it again with the header Approval,
// which only approves it. Then the first principal sends it with that header, once, and it is carried out.
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Approval, GivenApproval } from '../../workflows/approval/contract.js';
import type { ApiDependencies } from './dependencies.js';
import type { Env } from './env.js';
import { APPROVAL_HEADER } from './parameters.schema.js';
import { ApiError } from './problems/errors.js';

/** Names the request, and when it was made, so that the same request after a use needs another approval. */
const ID = /^([0-9a-f]{32})-([0-9a-z]{1,9})$/;

/**
 * Call it before the operation. Returns only if the operation may be carried out now.
 * @param covered what the request is about, as it is now. If it has changed since the request, the approval does not cover it.
 * @returns the approval that this request uses. Undefined if one principal is enough.
 * @throws ApiError `approval_required` for the first request, `approval_given` for that of the approver, `approval_unknown`, and the
 * refusals of the approval.
 */
export async function approvedRequest(
  c: Context<Env>,
  { temporal, isDualControl, audit }: Pick<ApiDependencies, 'temporal' | 'isDualControl' | 'audit'>,
  operation: string,
  covered: () => Promise<unknown> = () => Promise.resolve(),
): Promise<GivenApproval | undefined> {
  if (!isDualControl) return undefined;
  const [by, target] = [c.get('principal'), c.req.path];
  const digest = hashOf([await c.req.json(), await covered()]).digest('base64url');
  const requested = { operation, target, digest };
  const own = hashOf([operation, target, digest, by]).digest('hex').slice(0, 32);
  const note = (action: string, approval: string): void =>
    audit.note(c, { action, outcome: 'done', target, details: { operation, approval } });
  const header = c.req.header(APPROVAL_HEADER);
  if (header === undefined) {
    const pending = await temporal.approvals.request(own, { ...requested, requestedBy: by });
    const made = `${own}-${Date.parse(pending.requestedAt).toString(36)}`;
    note('requestApproval', made);
    throw required(made, pending);
  }
  const [, id, time = ''] = ID.exec(header) ?? [];
  if (id === undefined) throw unknown();
  const requestedAt = new Date(Number.parseInt(time, 36)).toISOString();
  const present = id === own ? temporal.approvals.use : temporal.approvals.approve;
  const given = await present(id, { ...requested, by, requestedAt });
  if (given === undefined) throw unknown();
  note(id === own ? 'useApproval' : 'approve', header);
  if (id === own) return given;
  throw stored(header, given);
}

/** Names both principals for the records. */
export const namesOf = (by: string, approval: GivenApproval | undefined): string =>
  approval === undefined ? by : `${by}, approved by ${approval.approvedBy}`;

const hashOf = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts));

const required = (id: string, { approvedBy, expiresAt }: Approval): ApiError => {
  const [detail, expected] =
    approvedBy === undefined
      ? [
          `Nothing was changed: another principal must approve this by ${expiresAt}. It sends the same request with the header ` +
            `${APPROVAL_HEADER}: ${id}. Then you send it with that header.`,
          `expected ${id}, first from another principal and then from you`,
        ]
      : [
          `Nothing was changed: ${approvedBy} has approved this. Send the same request with the header ${APPROVAL_HEADER}: ${id} by ${expiresAt}.`,
          `expected ${id}`,
        ];
  return new ApiError('approval_required', detail, {
    errors: [{ header: APPROVAL_HEADER, detail: expected }],
  });
};

/** Not a success, because the operation was not carried out. */
const stored = (id: string, { requestedBy, approvedBy, expiresAt }: GivenApproval): ApiError =>
  new ApiError(
    'approval_given',
    `The approval by ${approvedBy} is stored, and nothing else was changed. ${requestedBy} can now send the same request once with the ` +
      `header ${APPROVAL_HEADER}: ${id}, by ${expiresAt}.`,
  );

const unknown = (): ApiError =>
  new ApiError(
    'approval_unknown',
    'There is no such approval, it was used, or its day has ended. Look at the current state, then make a new request.',
    { errors: [{ header: APPROVAL_HEADER, detail: 'expected the id of an approval that was not used' }] },
  );
