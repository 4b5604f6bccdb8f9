import { Dialog } from "../kit/dialog.tsx";
import { useWords } from "../words/locale.tsx";
import { navigation } from "./navigation.ts";
import { shellWords } from "./words.ts";

/** `?`: every key that acts. */
export default function Help({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const words = useWords(shellWords);
  const go = navigation
    .flatMap((section) => section.entries)
    .filter((entry) => entry.key)
    .map((entry): [string, string] => [`g ${entry.key}`, words.keys.go(words.screens[entry.word])]);
  const general: [string, string][] = [
    ["Ctrl K", words.keys.palette],
    ["?", words.keys.help],
    ["/", words.keys.search],
    ["c", words.keys.create],
    ["Ctrl Enter", words.keys.submit],
    ...go,
  ];
  const lists: [string, string][] = [
    ["j", words.keys.down],
    ["k", words.keys.up],
    ["x", words.keys.mark],
    ["Enter", words.keys.open],
  ];
  return (
    <Dialog title={words.help} isOpen={isOpen} onOpenChange={onOpenChange} size="lg">
      <div className="grid gap-6 sm:grid-cols-2">
        <Group title={words.keys.general} keys={general} />
        <div className="flex flex-col gap-6">
          <Group title={words.keys.lists} keys={lists} />
          <p className="text-soft">{words.keys.scanner}</p>
        </div>
      </div>
    </Dialog>
  );
}

function Group({ title, keys }: { title: string; keys: [string, string][] }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-soft">{title}</h3>
      <dl className="flex flex-col gap-1.5">
        {keys.map(([key, meaning]) => (
          <div key={key} className="flex items-center justify-between gap-4">
            <dt>{meaning}</dt>
            <dd className="flex gap-1">
              {key.split(" ").map((each) => (
                <kbd
                  key={each}
                  className="min-w-6 rounded border border-line bg-hover px-1.5 py-0.5 text-center font-sans text-xs text-soft"
                >
                  {each}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
