// How the comparison of an account with a name looks on the wire (facts 15).
import type { Comparison } from './validation-endings.js';

const CHANNELS = ['npp.sct', 'de.dc'];

/** Where the name may not be told, no message and no insights are either. */
export function formatValidation(uid: string, partyName: string, comparison: Comparison) {
  const { result, nameFor, isJoint = false, riskScore } = comparison;
  if (nameFor === undefined) return { uid, outcome: { result } };
  const match_name = nameFor(partyName);
  const score = riskScore === undefined ? {} : { risk_score: riskScore };
  return {
    uid,
    outcome: { result, match_name, message: `The account is held by ${match_name}` },
    insights: { ...score, is_joint: isJoint, suggested_payment_channels: CHANNELS },
  };
}
