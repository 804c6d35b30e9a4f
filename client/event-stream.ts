// Parses a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** The fields between two empty lines. */
export interface Block {
  /** Undefined: the block only moves the position. */
  data: string | undefined;
  id: string | undefined;
  retryMs: number | undefined;
}

const EMPTY: Block = { data: undefined, id: undefined, retryMs: undefined };

/** Returns a function that takes the next bytes, and returns the blocks that they complete. */
export function createParser(): (chunk: Uint8Array) => Block[] {
  const decoder = new TextDecoder();
  let unfinished = '';
  let endedWithReturn = false;
  let block = EMPTY;

  return (chunk) => {
    const decoded = decoder.decode(chunk, { stream: true });
    if (decoded === '') return [];
    // The second half of a line end that two chunks share.
    const text = endedWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    endedWithReturn = decoded.endsWith('\r');
    const lines = `${unfinished}${text}`.split(/\r\n|\n|\r/);
    unfinished = lines.pop() ?? '';
    const complete: Block[] = [];
    for (const line of lines) {
      if (line !== '') block = withLine(block, line);
      else {
        if (block !== EMPTY) complete.push(block);
        block = EMPTY;
      }
    }
    return complete;
  };
}

function withLine(block: Block, line: string): Block {
  const colon = line.indexOf(':');
  const name = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data')
    return { ...block, data: block.data === undefined ? value : `${block.data}\n${value}` };
  if (name === 'id' && !value.includes('\0')) return { ...block, id: value };
  if (name === 'retry' && /^\d+$/.test(value)) return { ...block, retryMs: Number(value) };
  return block;
}
