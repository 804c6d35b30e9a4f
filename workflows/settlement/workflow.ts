// Fetches the settlement reports of a connection. A schedule starts it every few hours, so a late report is found soon.
import { runScheduled } from '../on-temporal/run.js';
import { detailsOf, detailsOfEnd } from './view.js';
import type { SettlementEnd, SettlementInput } from './contract.js';

export const settlement = ({ connectionId }: SettlementInput): Promise<SettlementEnd> =>
  runScheduled(detailsOf(connectionId), (calls) => calls.fetchSettlement({ connectionId }), detailsOfEnd);
