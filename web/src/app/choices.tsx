import { useText } from "../i18n";
import { classes } from "../ui/dressed";
import { Select } from "../ui/field";
import { prefer, usePreferences, type Language, type Theme } from "./preferences";
import styles from "./choices.module.css";

/** Language and theme; at the foot of the sidebar and of a form they are set apart, `bare` where they are the matter. */
export function Choices({ bare = false }: { bare?: boolean }) {
  const t = useText();
  const { language, theme } = usePreferences();
  return (
    <div className={classes(styles.choices, bare && styles.bare)}>
      <div className={styles.switch} role="group" aria-label={t.app.language}>
        {(["en", "zh"] as Language[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={language === each}
            onClick={() => prefer({ language: each })}
            lang={each === "zh" ? "zh-CN" : "en"}
          >
            {each === "zh" ? "中文" : "English"}
          </button>
        ))}
      </div>
      <Select
        hidden
        label={t.app.theme}
        value={theme}
        onChange={(value) => prefer({ theme: value })}
        choices={(["system", "light", "dark"] as Theme[]).map((each) => ({ value: each, label: t.app.themes[each] }))}
      />
    </div>
  );
}
