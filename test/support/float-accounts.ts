import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { floatAccountMoved, floatAccountWorkflowId } from '../../workflows/float-account/contract.js';
import {
  SETTLEMENT_WORKFLOW,
  settlementId,
  type SettlementEnd,
} from '../../workflows/settlement/contract.js';
import { aPayment, anAgreement } from './http-stack.js';
import { eventually } from './temporal.js';
import type { SweptConnection } from './swept-connection.js';

const BRANCH = '200002';

export interface TestAccount {
  id: string;
  account_number: string;
}

export function anAccount({ http: { sandbox } }: SweptConnection): TestAccount {
  const account = { id: randomUUID(), account_number: String(randomInt(1e7, 1e8)) };
  sandbox.control.addFloatAccount(account);
  return account;
}

export async function credit(
  { http }: SweptConnection,
  to: TestAccount,
  amount: number,
  words = 'Rent of Mary',
): Promise<void> {
  const [accessToken = ''] = http.issued;
  const answer = await fetch(`${http.sandbox.url}/simulate/incoming_npp_bban_payment`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ to_bsb: BRANCH, to_account_number: to.account_number, amount },
      ...{ payment_reference: words, payment_description: words },
    }),
  });
  expect(answer.status).toBe(201);
}

export const readAgain = ({ temporal }: SweptConnection, { id }: TestAccount): Promise<void> =>
  temporal.client.workflow.getHandle(floatAccountWorkflowId(id)).signal(floatAccountMoved);

export async function paidInto(
  { http, connection }: SweptConnection,
  { account_number }: TestAccount,
  amounts: readonly number[],
): Promise<string[]> {
  const { creditor, ...body } = anAgreement(undefined, { connection });
  const account_identifier = { type: 'bban' as const, value: `${BRANCH}-${account_number}` };
  await http.backend.create({ ...body, creditor: { ...creditor, account_identifier } });
  const uids: string[] = [];
  for (const amount of amounts) {
    const payment = aPayment(undefined, { amount });
    await http.backend.pay(body.uid, payment, { wait: 20 });
    await eventually(
      () => http.backend.payment(payment.uid),
      ({ data }) => data?.state === 'settled',
    );
    uids.push(payment.uid);
  }
  return uids;
}

export const fetchReports = ({ temporal, taskQueue, connection }: SweptConnection): Promise<SettlementEnd> =>
  temporal.client.workflow.execute(SETTLEMENT_WORKFLOW, {
    taskQueue,
    workflowId: `${settlementId(connection)}-${randomUUID()}`,
    args: [{ connectionId: connection }],
  });
