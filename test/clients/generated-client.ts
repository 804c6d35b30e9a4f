import type { Names } from './left-out.js';

/** A client in another language, generated from the API document. */
export interface GeneratedClient {
  name: string;
  /** What this machine lacks to generate and run it; undefined if nothing. */
  lack: () => Promise<string | undefined>;
  /** Generates and compiles the client. Throws an error with the generator's output if it prints a warning. */
  generate: (document: string, folder: string) => Promise<Generated>;
}

export interface Generated {
  names: Names;
  /** Runs the example against the product, and returns its output. */
  runFlow: (environment: Readonly<Record<string, string>>) => Promise<string>;
}
