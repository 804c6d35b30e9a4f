// The form with the filters of a list.
import { words } from '../format.js';

interface FiltersOf {
  /** The connections of the key. */
  bound: readonly string[] | undefined;
  list: {
    plural: string;
    states?: readonly string[];
    filters?: readonly (readonly [name: string, label: string])[];
    hasDays?: boolean;
  };
  typed: Readonly<Record<string, string>>;
}

export function Filters({ bound, list: { plural, states, filters = [], hasDays = true }, typed }: FiltersOf) {
  if (states === undefined && filters.length === 0 && !hasDays) return null;
  return (
    <form method="get" action={`/console/${plural}`} class="filters" aria-label="Filters">
      {states === undefined ? null : (
        <>
          <Choice name="state" label="State" value={typed['state']} options={states} any="any state" />
          <Choice
            name="attention"
            label="Flags"
            value={typed['attention']}
            options={['any']}
            any="with or without"
          />
          {bound === undefined ? (
            <TextFilter name="connection" label="Connection" value={typed['connection']} />
          ) : (
            <Choice name="connection" label="Connection" value={typed['connection']} options={bound} />
          )}
        </>
      )}
      {filters.map(([name, label]) => (
        <TextFilter name={name} label={label} value={typed[name]} />
      ))}
      {hasDays ? (
        <>
          <TextFilter name="from" label="Requested from" value={typed['from']} type="date" />
          <TextFilter name="until" label="Requested before" value={typed['until']} type="date" />
        </>
      ) : null}
      <div>
        <button>Filter</button> <a href={`/console/${plural}`}>Clear</a>
      </div>
    </form>
  );
}

const Choice = ({
  name,
  label,
  value,
  options,
  any,
}: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly string[];
  any?: string;
}) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {any === undefined ? null : <option value="">{any}</option>}
      {options.map((option) => (
        <option value={option} selected={option === value}>
          {option === 'any' ? 'with a flag' : words(option)}
        </option>
      ))}
    </select>
  </div>
);

const TextFilter = ({
  name,
  label,
  value,
  type = 'text',
}: {
  name: string;
  label: string;
  value: string | undefined;
  type?: 'text' | 'date';
}) => (
  <div>
    <label for={name}>{label}</label>
    <input id={name} name={name} type={type} value={value ?? ''} autocomplete="off" />
  </div>
);
