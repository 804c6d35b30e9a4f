import { env } from 'node:process';
import { z } from 'zod';

const Environment = z.object({
  BROWSER_TESTS: z.enum(['run', 'skip'], 'expected run or skip').default('run'),
});

export function leavesOutBrowserTests(variables: NodeJS.ProcessEnv = env): boolean {
  return (
    Environment.parse({ BROWSER_TESTS: variables['BROWSER_TESTS'] || undefined }).BROWSER_TESTS === 'skip'
  );
}
