// In:  workflows/connection.ts has a code that a person's consent brought.
// Out: payments-api/oauth.ts.
import { cancellationSignal } from '@temporalio/activity';
import { codeContext } from '../sealing/contexts.js';
import { open } from '../sealing/keyring.js';
import { writeFailure } from './failure.js';
import { sealTokens } from './seal-tokens.js';
import type { SealedTokens } from '../workflows/connection.contract.js';
import type { Dependencies } from './dependencies.js';

export interface ExchangeCodeArgs {
  connectionId: string;
  round: number;
  generation: number;
  sealedCode: string;
}

export function exchangeCodeActivity(deps: Dependencies) {
  return async function exchangeCode(args: ExchangeCodeArgs): Promise<SealedTokens> {
    const { connectionId, round, generation, sealedCode } = args;
    const code = open(deps.keyring, sealedCode, codeContext(connectionId, round));
    try {
      const answer = await deps.oauth.exchangeCode({ code, signal: cancellationSignal() });
      return sealTokens(deps, connectionId, generation, answer);
    } catch (error) {
      throw writeFailure(error);
    }
  };
}
