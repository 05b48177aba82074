package durablerag;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.elasticsearch.plugin.NamedComponent;
import org.elasticsearch.plugin.analysis.AnalyzerFactory;

/** Lucene's analyzer for English, under the name it has in a full Elasticsearch. */
@NamedComponent("english")
public class EnglishAnalyzerFactory implements AnalyzerFactory {
    @Override
    public Analyzer create() {
        return new EnglishAnalyzer();
    }
}
