// Collects what arrives while a statement is in flight into the next statement, so that a busy database gets few large statements.

interface Waiting<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Groups<Item, Answer> {
  /** Two items with the same key are never in one group, and keep their order. A group is in the order of its keys. */
  keyOf: (item: Item) => string;
  /** The most items in a group. */
  atMost: number;
  /** Answers in the order of the items. If it rejects, each item of the group gets the error. */
  store: (group: readonly Item[]) => Promise<readonly Answer[]>;
}

/** @returns a function that hands an item to the next group. */
export function inGroups<Item, Answer>({
  keyOf,
  atMost,
  store,
}: Groups<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let isStoring = false;

  function takeGroup(): Waiting<Item, Answer>[] {
    const group = new Map<string, Waiting<Item, Answer>>();
    waiting = waiting.filter((one) => {
      const key = keyOf(one.item);
      if (group.size >= atMost || group.has(key)) return true;
      group.set(key, one);
      return false;
    });
    return [...group].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
  }

  async function storeAll(): Promise<void> {
    isStoring = true;
    while (waiting.length > 0) {
      const group = takeGroup();
      try {
        const answers = await store(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isStoring = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isStoring) void storeAll();
    });
}
