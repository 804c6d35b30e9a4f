// Encodes a file as a multipart/form-data body (RFC 7578) with one part.
import { randomUUID } from 'node:crypto';

/** The name must not contain quotes or line breaks: it is written into a header. */
export interface FormFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** The part is named `file`. The provider documents no name. */
export function formOf({ name, type, bytes }: FormFile): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const boundary = randomUUID();
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="file"; filename="${name}"`,
    `content-type: ${type}`,
  ];
  const parts = [`${head.join('\r\n')}\r\n\r\n`, bytes, `\r\n--${boundary}--\r\n`];
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
  };
}
