// What the model tests are told from outside: nothing, or a seed with which they failed before.
import { env } from 'node:process';
import { z } from 'zod';

const Environment = z.object({
  MODEL_SEED: z.coerce.number().int().optional(),
  MODEL_RUNS: z.coerce.number().int().positive().optional(),
});

export interface ModelConfig {
  /** A new one each time, unless it was given. */
  seed: number;
  /** How many runs; as many as the test wants where it was not given. */
  runs: number | undefined;
}

export function readModelConfig(): ModelConfig {
  const { MODEL_SEED, MODEL_RUNS } = Environment.parse(env);
  return { seed: MODEL_SEED ?? Math.floor(Math.random() * 0x7fffffff), runs: MODEL_RUNS };
}
