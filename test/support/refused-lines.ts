import { ConfigError } from '../../settings/read.js';

export function refusedLines(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  throw new Error('expected the settings to be refused');
}
